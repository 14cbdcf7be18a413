import type { TokenRecord, TokenType } from '@keyhole/vault/token-reader'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import { type Standing, standing } from '../words/standing.ts'
import { Flat, Lexicon } from './flat.ts'
import type { TokenListName, TokenName, TokenQuery, TokenTotals } from './token-messages.ts'

/** What lists and search need of a stored token, texts that many share by their numbers. */
export interface Row {
  readonly id: string
  readonly type: TokenType
  readonly cid: string
  readonly command: number
  readonly issuer: number
  readonly audience: number
  readonly audienceDid: number
  /** -1: any that its issuer may delegate. */
  readonly subject: number
  readonly policy: number
  readonly notBefore: number | undefined
  readonly expiresAt: number | undefined
  readonly createdAt: number
  readonly revokes: string | undefined
  /** Until it has been opened. */
  sealedLabel: string | undefined
  label: string | undefined
}

/** What a query looks at for each row, column by column; texts by their numbers. */
export interface Columns {
  readonly type: Uint8Array
  readonly command: Int32Array
  readonly policy: Int32Array
  readonly issuer: Int32Array
  readonly audience: Int32Array
  readonly audienceDid: Int32Array
  /** The issuer where a row names no subject. */
  readonly subject: Int32Array
  readonly createdAt: Float64Array
  /** Infinity without an end. */
  readonly expiresAt: Float64Array
}

/** What a type is in its column. */
export const TYPES = ['origin', 'attenuated', 'received', 'invocation', 'revocation', 'receipt'] as const

/** The orders of a list, made anew when the rows have changed. */
interface Orders {
  /** Those with an end, the first to end first. */
  readonly ending: readonly Row[]
  /** Those without, the newest first. */
  readonly endless: readonly Row[]
}

/** What lets someone pay: by themselves, or through the vault that counts. */

export const isGiven = ({ type }: Pick<Row, 'type'>) => type === 'origin' || type === 'attenuated'

/** The stored tokens of an account, laid out for lists and search. */
export class TokenIndex {
  readonly people = new Lexicon()
  readonly commands = new Lexicon()
  readonly policies = new Lexicon()
  /** The policies themselves, by the numbers of their texts. */
  readonly #policyOf: (readonly unknown[])[] = []
  #rows: Row[] = []
  /** Where each id's row is. */
  #places = new Map<string, number>()
  #labels = new Flat()
  #cids = new Flat()
  #columns: Columns = columnsFor(1_024)
  #order: Uint32Array | undefined
  #byCid: Map<string, Row> | undefined
  #orders: Orders | undefined
  #revoked: ReadonlySet<string> | undefined
  /** How many of the newest have no label to be opened. */
  #unsealed = 0
  #edition = 0

  get size(): number {
    return this.#rows.length
  }

  /** As they came; `labels`, `cids` and the columns, which may be longer, are in the same order. */
  get rows(): readonly Row[] {
    return this.#rows
  }

  get labels(): Flat {
    return this.#labels
  }

  get cids(): Flat {
    return this.#cids
  }

  get columns(): Columns {
    return this.#columns
  }

  /** The places of the rows, the newest first. */
  get order(): Uint32Array {
    const { createdAt } = this.#columns
    this.#order ??= places(this.#rows.length).sort((a, b) => (createdAt[b] ?? 0) - (createdAt[a] ?? 0))
    return this.#order
  }

  /** Another one whenever the same words may find something else. */
  get edition(): number {
    return this.#edition + this.people.edition + this.commands.edition + this.policies.edition
  }

  /** Takes in records that say everything of their tokens. One that is here already takes its place. */
  add(records: readonly TokenRecord[]): void {
    for (const record of records) {
      const place = this.#places.get(record.id) ?? this.#rows.length
      this.#put(this.#row(record), place)
    }
    this.#changed()
  }

  remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return
    const left = this.#rows.filter(({ id }) => !ids.has(id))
    this.#rows = []
    this.#places = new Map()
    this.#labels = new Flat()
    this.#cids = new Flat()
    for (const row of left) this.#put(row, this.#rows.length)
    this.#changed()
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  /** Which of the rows are not among these. */
  missing(ids: ReadonlySet<string>): Set<string> {
    return new Set(this.#rows.flatMap(({ id }) => (ids.has(id) ? [] : [id])))
  }

  byCid(cid: string): Row | undefined {
    this.#byCid ??= new Map(this.#rows.map((row) => [row.cid, row]))
    return this.#byCid.get(cid)
  }

  /** Labels by the ids of their tokens; undefined for one that did not open. */
  label(labels: readonly { id: string; label: string | undefined }[]): void {
    for (const { id, label } of labels) {
      const place = this.#places.get(id)
      const row = place === undefined ? undefined : this.#rows[place]
      if (!row || place === undefined) continue
      row.label = label
      row.sealedLabel = undefined
      this.#labels.set(place, label ?? '')
    }
    this.#edition += 1
  }

  /** The newest of the rows whose labels are still to be opened. */
  sealed(limit: number): { id: string; sealedLabel: string }[] {
    const found: { id: string; sealedLabel: string }[] = []
    const { order } = this
    for (let at = this.#unsealed; at < order.length && found.length < limit; at += 1) {
      const { id, sealedLabel } = this.#rows[order[at] ?? 0] ?? {}
      if (id !== undefined && sealedLabel !== undefined) found.push({ id, sealedLabel })
      else if (found.length === 0) this.#unsealed = at + 1
    }
    return found
  }

  get revoked(): ReadonlySet<string> {
    this.#revoked ??= new Set(this.#rows.flatMap(({ revokes }) => (revokes === undefined ? [] : [revokes])))
    return this.#revoked
  }

  policy(row: Row): readonly unknown[] {
    return this.#policyOf[row.policy] ?? []
  }

  standing(row: Row, now: number): Standing | 'revoked' {
    return this.revoked.has(row.cid) ? 'revoked' : standing(row, now)
  }

  /** The first of a list, the next to end first; those without end after, those that ended last. */
  page({ list, live, people, limit, offset = 0 }: TokenQuery, now: number): { rows: Row[]; total: number } {
    const rows: Row[] = []
    let total = 0
    const among = people && new Set(people.map((did) => this.people.known(did)))
    const take = (row: Row | undefined) => {
      if (!row || (among && !among.has(list === 'received' ? row.issuer : row.audienceDid))) return
      if (!this.#belongs(row, list) || (live && !this.#isLive(row, now))) return
      if (total >= offset && rows.length < limit) rows.push(row)
      total += 1
    }
    this.#orders ??= this.#ordered()
    const { ending, endless } = this.#orders
    const first = firstFrom(ending, now)
    for (let index = first; index < ending.length; index += 1) take(ending[index])
    for (const row of endless) take(row)
    for (let index = first - 1; index >= 0; index -= 1) take(ending[index])
    return { rows, total }
  }

  totals(now: number): TokenTotals {
    const totals = { live: 0, soon: 0, given: 0, received: 0 }
    for (const row of this.#rows) {
      if (row.type === 'received') totals.received += 1
      if (!isGiven(row)) continue
      totals.given += 1
      const stands = this.standing(row, now)
      if (stands === 'ended' || stands === 'revoked') continue
      totals.live += 1
      if (stands === 'soon') totals.soon += 1
    }
    return totals
  }

  #isLive(row: Row, now: number): boolean {
    const stands = this.standing(row, now)
    return stands !== 'ended' && stands !== 'revoked'
  }

  #belongs(row: Row, list: TokenListName): boolean {
    switch (list) {
      case 'given':
        return isGiven(row)
      case 'mandates':
        return isGiven(row) && row.command === this.commands.known(AUTHORIZE)
      case 'received':
        return row.type === 'received'
      case 'signed':
        return row.type === 'invocation' || row.type === 'revocation' || row.type === 'receipt'
    }
  }

  isMandate(row: Row): boolean {
    const { commands } = this
    const isPayment = row.command === commands.known(AUTHORIZE) || row.command === commands.known(REQUEST)
    return isGiven(row) && isPayment
  }

  /** What the person calls each mandate, as far as labels have been opened. No token is read for it. */
  mandateNames(): TokenName[] {
    return this.#rows.flatMap((row) => {
      const { cid, label } = row
      return label !== undefined && this.isMandate(row) ? [{ cid, label }] : []
    })
  }

  #ordered(): Orders {
    const { expiresAt } = this.#columns
    const rowsAt = (at: Uint32Array) => Array.from(at, (place) => this.#rows[place] as Row)
    return {
      ending: rowsAt(
        places(this.#rows.length)
          .filter((at) => expiresAt[at] !== Number.POSITIVE_INFINITY)
          .sort((a, b) => (expiresAt[a] ?? 0) - (expiresAt[b] ?? 0)),
      ),
      endless: rowsAt(this.order.filter((at) => expiresAt[at] === Number.POSITIVE_INFINITY)),
    }
  }

  #put(row: Row, place: number): void {
    this.#rows[place] = row
    this.#places.set(row.id, place)
    if (place >= this.#columns.type.length) this.#columns = columnsFor(2 * place, this.#columns)
    const columns = this.#columns
    columns.type[place] = TYPES.indexOf(row.type)
    columns.command[place] = row.command
    columns.policy[place] = row.policy
    columns.issuer[place] = row.issuer
    columns.audience[place] = row.audience
    columns.audienceDid[place] = row.audienceDid
    columns.subject[place] = row.subject < 0 ? row.issuer : row.subject
    columns.createdAt[place] = row.createdAt
    columns.expiresAt[place] = row.expiresAt ?? Number.POSITIVE_INFINITY
    this.#labels.set(place, row.label ?? '')
    this.#cids.set(place, row.cid)
  }

  #row(record: TokenRecord): Row {
    const { id, type, issuer, audience, createdAt, notBefore, expiresAt, revokes, sealedLabel } = record
    const { cid = '', command = '', policy = [], subject = null, audienceDid = audience } = record
    const policyNumber = this.policies.number(leaves(policy))
    this.#policyOf[policyNumber] ??= policy
    return {
      ...{ id, type, cid, createdAt, notBefore, expiresAt, revokes, sealedLabel },
      command: this.commands.number(command),
      issuer: this.people.number(issuer),
      audience: this.people.number(audience),
      audienceDid: this.people.number(audienceDid),
      subject: subject === null ? -1 : this.people.number(subject),
      policy: policyNumber,
      label: undefined,
    }
  }

  #changed(): void {
    this.#edition += 1
    this.#order = undefined
    this.#byCid = undefined
    this.#orders = undefined
    this.#revoked = undefined
    this.#unsealed = 0
  }
}

function columnsFor(size: number, from?: Columns): Columns {
  const column = <T extends Uint8Array | Int32Array | Float64Array>(empty: T, old: T | undefined): T => {
    if (old) empty.set(old)
    return empty
  }
  return {
    type: column(new Uint8Array(size), from?.type),
    command: column(new Int32Array(size), from?.command),
    policy: column(new Int32Array(size), from?.policy),
    issuer: column(new Int32Array(size), from?.issuer),
    audience: column(new Int32Array(size), from?.audience),
    audienceDid: column(new Int32Array(size), from?.audienceDid),
    subject: column(new Int32Array(size), from?.subject),
    createdAt: column(new Float64Array(size), from?.createdAt),
    expiresAt: column(new Float64Array(size), from?.expiresAt),
  }
}

function places(count: number): Uint32Array {
  const all = new Uint32Array(count)
  for (let at = 0; at < count; at += 1) all[at] = at
  return all
}

/** Where those begin that have not ended. */
function firstFrom(ending: readonly Row[], now: number): number {
  let low = 0
  let high = ending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ending[middle]?.expiresAt ?? 0) >= now) high = middle
    else low = middle + 1
  }
  return low
}

/** Everything that a policy says, in one line that tells it from any other. */
function leaves(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(leaves).join(' ')}]`
  if (value instanceof Uint8Array) return `bytes(${value.join(',')})`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)} ${leaves(each)}`)
    return `{${entries.join(' ')}}`
  }
  return typeof value === 'string' ? JSON.stringify(value) : `${value}${typeof value === 'bigint' ? 'n' : ''}`
}
