import type { TokenRecord, TokenType } from '@keyhole/vault/token-reader'
import { type Standing, standing } from '../words/standing.ts'
import { Flat, Lexicon } from './flat.ts'
import type { TokenListName, TokenQuery, TokenTotals } from './token-messages.ts'

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

/** The numbers of the rows' texts, column by column: what a query looks at for each row. */
export interface Columns {
  readonly command: Int32Array
  readonly policy: Int32Array
  /** Everyone that a row names. Where it names no subject its issuer stands there. */
  readonly people: readonly Int32Array[]
}

/** The orders of a list, made anew when the rows have changed. */
interface Orders {
  /** Those with an end, the first to end first. */
  readonly ending: readonly Row[]
  /** Those without, the newest first. */
  readonly endless: readonly Row[]
}

const PAYMENT = '/payment/authorize'

export const isGiven = ({ type }: Pick<Row, 'type'>) => type === 'origin' || type === 'attenuated'

/** The stored tokens of an account, laid out for lists and search. */
export class TokenIndex {
  readonly people = new Lexicon()
  readonly commands = new Lexicon()
  readonly policies = new Lexicon()
  /** The policies themselves, by the numbers of their texts. */
  readonly #policyOf: (readonly unknown[])[] = []
  #rows: Row[] = []
  readonly #byId = new Map<string, Row>()
  #byCid: Map<string, Row> | undefined
  #orders: Orders | undefined
  #sorted = true
  #revoked: ReadonlySet<string> | undefined
  #labels: Flat | undefined
  #cids: Flat | undefined
  #columns: Columns | undefined

  get size(): number {
    return this.#rows.length
  }

  /** The newest first; `labels` and `cids` are in the same order. */
  get rows(): readonly Row[] {
    if (!this.#sorted) this.#rows.sort((a, b) => b.createdAt - a.createdAt)
    this.#sorted = true
    return this.#rows
  }

  /** Takes in records that say everything of their tokens. One that is here already takes its place. */
  add(records: readonly TokenRecord[]): void {
    if (records.some(({ id }) => this.#byId.has(id))) this.remove(new Set(records.map(({ id }) => id)))
    for (const record of records) {
      const row = this.#row(record)
      this.#rows.push(row)
      this.#byId.set(row.id, row)
    }
    this.#changed()
  }

  remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return
    this.#rows = this.#rows.filter(({ id }) => !ids.has(id))
    for (const id of ids) this.#byId.delete(id)
    this.#changed()
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Which of the rows are not among these. */
  missing(ids: ReadonlySet<string>): Set<string> {
    return new Set(this.#rows.flatMap(({ id }) => (ids.has(id) ? [] : [id])))
  }

  byCid(cid: string): Row | undefined {
    // Of two tokens with one CID the first that came stays: they say the same.
    this.#byCid ??= new Map(this.#rows.map((row) => [row.cid, row]))
    return this.#byCid.get(cid)
  }

  /** Labels by the ids of their tokens; undefined for one that did not open. */
  label(labels: readonly { id: string; label: string | undefined }[]): void {
    for (const { id, label } of labels) {
      const row = this.#byId.get(id)
      if (!row) continue
      row.label = label
      row.sealedLabel = undefined
    }
    this.#labels = undefined
  }

  /** The newest of the rows whose labels are still to be opened. */
  sealed(limit: number): { id: string; sealedLabel: string }[] {
    const found: { id: string; sealedLabel: string }[] = []
    for (const { id, sealedLabel } of this.rows) {
      if (sealedLabel === undefined) continue
      found.push({ id, sealedLabel })
      if (found.length === limit) break
    }
    return found
  }

  get revoked(): ReadonlySet<string> {
    this.#revoked ??= new Set(this.#rows.flatMap(({ revokes }) => (revokes === undefined ? [] : [revokes])))
    return this.#revoked
  }

  get labels(): Flat {
    this.#labels ??= new Flat(this.rows.map(({ label }) => label ?? ''))
    return this.#labels
  }

  get cids(): Flat {
    this.#cids ??= new Flat(this.rows.map(({ cid }) => cid))
    return this.#cids
  }

  get columns(): Columns {
    const column = (of: (row: Row) => number) => Int32Array.from(this.rows, of)
    this.#columns ??= {
      command: column(({ command }) => command),
      policy: column(({ policy }) => policy),
      people: [
        column(({ issuer }) => issuer),
        column(({ audience }) => audience),
        column(({ audienceDid }) => audienceDid),
        column(({ subject, issuer }) => (subject < 0 ? issuer : subject)),
      ],
    }
    return this.#columns
  }

  policy(row: Row): readonly unknown[] {
    return this.#policyOf[row.policy] ?? []
  }

  standing(row: Row, now: number): Standing | 'revoked' {
    return this.revoked.has(row.cid) ? 'revoked' : standing(row, now)
  }

  /** The first of a list, the next to end first; those without end after, those that ended last. */
  page({ list, live, limit, offset = 0 }: TokenQuery, now: number): { rows: Row[]; total: number } {
    const rows: Row[] = []
    let total = 0
    const take = (row: Row | undefined) => {
      if (!row || !this.#belongs(row, list) || (live && !this.#isLive(row, now))) return
      if (total >= offset && rows.length < limit) rows.push(row)
      total += 1
    }
    this.#orders ??= {
      ending: this.#rows
        .filter(({ expiresAt }) => expiresAt !== undefined)
        .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0)),
      endless: this.rows.filter(({ expiresAt }) => expiresAt === undefined),
    }
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
        return this.isMandate(row)
      case 'received':
        return row.type === 'received'
      case 'signed':
        return row.type === 'invocation' || row.type === 'revocation' || row.type === 'receipt'
    }
  }

  isMandate(row: Row): boolean {
    return isGiven(row) && row.command === this.commands.known(PAYMENT)
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
    this.#byCid = undefined
    this.#orders = undefined
    this.#sorted = false
    this.#revoked = undefined
    this.#labels = undefined
    this.#cids = undefined
    this.#columns = undefined
  }
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
