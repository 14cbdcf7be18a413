import type { TokenRecord, TokenType } from '@keyhole/vault/token-reader'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import { LONG } from '../words/standing.ts'
import { Lexicon } from './lexicon.ts'
import { Input, type SearchModule, TEXTS } from './search-module.ts'
import {
  type Ancestor,
  cameFromOthers,
  type GivenTo,
  mayContinue,
  type NamedToken,
  type Notes,
  type PaymentWords,
  type TokenName,
  type TokenQuery,
  type TokenTotals,
} from './token-messages.ts'

/** What lists and search need from a stored token. Shared texts are stored by number. */
export interface Row {
  readonly id: string
  readonly type: TokenType
  readonly cid: string
  readonly command: number
  readonly issuer: number
  readonly audience: number
  readonly audienceDid: number
  /** -1 means any subject that its issuer may delegate. */
  readonly subject: number
  readonly policy: number
  readonly notBefore: number | undefined
  readonly expiresAt: number | undefined
  readonly createdAt: number
  readonly revokes: string | undefined
  /** Until it has been opened. */
  sealedLabel: string | undefined
  label: string | undefined
  /** What a payment or mandate is found by besides, until it is read undefined. */
  payment: PaymentWords | undefined
  /** The CIDs of what it came from, until they are read undefined. */
  above: readonly string[] | undefined
}

/** A type's number in the module is its position here. */
export const TYPES = ['origin', 'attenuated', 'received', 'invocation', 'revocation', 'receipt'] as const

/** What has something to do with payments, where its command has. */
const MAY_PAY: ReadonlySet<TokenType> = new Set<TokenType>(['origin', 'attenuated', 'received', 'invocation'])

/** Bytes per row in the module. */
const ROW = 60
const ANY_COMMAND = 0xffff_ffff
/** Read by `Index::page`. */
const [LIVE, BY_ISSUER, AMONG] = [1, 2, 4]

export const isGiven = ({ type }: Pick<Row, 'type'>) => type === 'origin' || type === 'attenuated'

/** A bit for each of some types. */
export const bitsOf = (isOne: (type: TokenType) => boolean) =>
  TYPES.reduce((bits, type, at) => (isOne(type) ? bits | (1 << at) : bits), 0)
export const GIVEN = bitsOf((type) => isGiven({ type }))
export const RECEIVED = bitsOf((type) => type === 'received')
const SIGNED = bitsOf((type) => type !== 'received' && !isGiven({ type }))
const LISTS = { given: GIVEN, mandates: GIVEN, received: RECEIVED, signed: SIGNED }

/** An account's stored tokens, prepared for lists and search. */
export class TokenIndex {
  readonly module: SearchModule
  readonly people: Lexicon
  readonly commands: Lexicon
  readonly #policies: Lexicon
  /** The policies, by the numbers of their texts. */
  readonly #policyOf: (readonly unknown[])[] = []
  #rows: Row[] = []
  /** The position of each id's row. */
  #places = new Map<string, number>()
  #order: Uint32Array | undefined
  #byCid: Map<string, Row> | undefined
  /** How many revocations there are of each CID that has one. */
  readonly #revoked = new Map<string, number>()
  /** The ids of payments and mandates that aren't read. */
  readonly #unpaid = new Set<string>()
  /** How many of the newest have no label left to open. */
  #unsealed = 0

  /** @param module one with an empty index, used only here */
  constructor(module: SearchModule) {
    this.module = module
    this.people = new Lexicon(module, { texts: TEXTS.people, notes: TEXTS.peopleNotes })
    this.commands = new Lexicon(module, { texts: TEXTS.commands, notes: TEXTS.commandNotes })
    this.#policies = new Lexicon(module, { texts: TEXTS.policies })
  }

  get size(): number {
    return this.#rows.length
  }

  /** In the order they arrived. The module returns positions in this list. */
  get rows(): readonly Row[] {
    return this.#rows
  }

  /** The positions of the rows, newest first. */
  get order(): Uint32Array {
    this.#order ??= this.module.call('newest')
    return this.#order
  }

  /** Writes new texts and notes to the module. Call this before querying it. */
  flush(): void {
    this.people.flush()
    this.commands.flush()
    this.#policies.flush()
  }

  /** Adds complete records. One with a known id replaces the old one. */
  add(records: readonly TokenRecord[]): void {
    if (records.length === 0) return
    const turned = new Set<string>()
    const places = records.map((record) => {
      const place = this.#places.get(record.id) ?? this.#rows.length
      const before = this.#rows[place]
      const row = this.#row(record, before)
      this.#revoke(before, -1, turned)
      this.#revoke(row, 1, turned)
      this.#rows[place] = row
      this.#places.set(row.id, place)
      return place
    })
    const rows = places.map((place) => this.#rows[place] as Row)
    this.module.call('put_rows', this.#written(places, rows))
    this.#putNames(places)
    this.module.putTexts(
      TEXTS.cids,
      places,
      rows.map(({ cid }) => cid),
    )
    this.#turn(turned)
    this.#changed()
  }

  remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return
    const turned = new Set<string>()
    const kept = Uint8Array.from(this.#rows, ({ id }) => Number(!ids.has(id)))
    for (const row of this.#rows) if (ids.has(row.id)) this.#revoke(row, -1, turned)
    for (const id of ids) this.#unpaid.delete(id)
    this.#rows = this.#rows.filter((_, at) => kept[at] === 1)
    this.#places = new Map(this.#rows.map(({ id }, at) => [id, at]))
    this.module.call('keep', new Input(4 + kept.length).raw(kept))
    this.#turn(turned)
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

  /** The rows of tokens that may have grown out of one of these. */
  continuing(parents: readonly Ancestor[]): Row[] {
    return this.#rows.filter((row) => {
      const token = { type: row.type, ...this.#ancestorOf(row) }
      return parents.some((parent) => mayContinue(parent, token))
    })
  }

  /** Labels by token id. Undefined for one that could not be opened. */
  label(labels: readonly { id: string; label: string | undefined }[]): void {
    const places: number[] = []
    for (const { id, label } of labels) {
      const place = this.#places.get(id)
      const row = place === undefined ? undefined : this.#rows[place]
      if (!row || place === undefined) continue
      row.label = label
      row.sealedLabel = undefined
      places.push(place)
    }
    this.#putNames(places)
  }

  /** The next payments and mandates that aren't read. */
  unpaid(limit: number): Row[] {
    const next: Row[] = []
    for (const id of this.#unpaid) {
      if (next.length === limit) break
      const row = this.#rows[this.#places.get(id) ?? -1]
      if (row) next.push(row)
    }
    return next
  }

  /** What payments and mandates are found by, by their ids. Undefined for one that can't be read: it isn't asked for again. */
  pay(found: readonly { readonly id: string; readonly payment: PaymentWords | undefined }[]): void {
    const places: number[] = []
    for (const { id, payment } of found) {
      this.#unpaid.delete(id)
      const place = this.#places.get(id)
      const row = place === undefined ? undefined : this.#rows[place]
      if (!row || place === undefined || !payment) continue
      row.payment = payment
      places.push(place)
    }
    this.#putNames(places)
  }

  /** Reads mandates again, once the vault can say what it counts for them. */
  unpayMandates(): void {
    for (const row of this.#rows) if (this.isMandate(row)) this.#unpaid.add(row.id)
  }

  /** Names of people by their DIDs. Payments to them are found by these too. */
  namePeople(names: Notes): void {
    for (const [did, name] of names) this.people.note(did, name)
    const dids = new Set(names.map(([did]) => did))
    this.#putNames(
      this.#rows.flatMap(({ payment }, at) => (payment?.payees.some((payee) => dids.has(payee)) ? [at] : [])),
    )
  }

  /** Writes what the rows at these positions are named, and what is found like a name. */
  #putNames(places: readonly number[]): void {
    this.module.putTexts(
      TEXTS.labels,
      places,
      places.map((place) => {
        const { label = '', payment } = this.#rows[place] ?? {}
        if (payment === undefined) return label
        const names = payment.payees.flatMap((payee) => [payee, this.people.noteOn(payee)])
        return [label, payment.words, ...names].join('\u0000')
      }),
    )
  }

  /** The newest rows whose labels haven't been opened yet. */
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

  /** Whether a revocation of a CID is stored. */
  isRevoked(cid: string): boolean {
    return this.#revoked.has(cid)
  }

  /** Whether one of something that a token came from is stored, as far as that was read. */
  isRevokedAbove({ above }: Row): boolean {
    return above?.some((cid) => this.isRevoked(cid)) ?? false
  }

  /** Whether it gives nothing any more, whatever its own time says. */
  isOff(row: Row): boolean {
    return this.isRevoked(row.cid) || this.isRevokedAbove(row)
  }

  /** Rows that have not ended and may have come from something that was revoked, but it isn't read yet what they came from. */
  unread(limit: number, now: number, among: readonly Row[] = this.#rows): Row[] {
    if (this.#revoked.size === 0) return []
    const revoked = [...this.#revoked.keys()].map((cid) => this.#ancestor(cid))
    // Many rows have the same command and subject.
    const known = new Map<string, boolean>()
    const mayHaveLost = (row: Row) => {
      const key = `${row.command} ${row.subject}`
      const before = known.get(key)
      if (before !== undefined) return before
      const token = { type: row.type, ...this.#ancestorOf(row) }
      const may = revoked.some((parent) => mayContinue(parent, token))
      known.set(key, may)
      return may
    }
    const found: Row[] = []
    for (const row of among) {
      if (found.length === limit) break
      if (row.above !== undefined || this.isRevoked(row.cid) || (row.expiresAt ?? now) < now) continue
      if (mayHaveLost(row)) found.push(row)
    }
    return found
  }

  /** What rows came from, by their ids. */
  readAbove(found: readonly { readonly id: string; readonly above: readonly string[] }[]): void {
    const off: string[] = []
    for (const { id, above } of found) {
      const row = this.#rows[this.#places.get(id) ?? -1]
      if (!row) continue
      row.above = above
      if (this.isRevokedAbove(row)) off.push(row.cid)
    }
    this.#turn(new Set(off))
  }

  policy(row: Row): readonly unknown[] {
    return this.#policyOf[row.policy] ?? []
  }

  /** A page of a list: soonest to expire first, then those without expiry, then expired ones. */
  page({ list, live, people, limit, offset = 0 }: TokenQuery, now: number): { rows: Row[]; total: number } {
    const command = list === 'mandates' ? this.commands.known(AUTHORIZE) : ANY_COMMAND
    if (command === undefined) return { rows: [], total: 0 }
    const input = new Input()
      .f64(now)
      .u32(LISTS[list])
      .u32(command)
      .u32((live ? LIVE : 0) | (list === 'received' ? BY_ISSUER : 0) | (people ? AMONG : 0))
    const places = this.module.call(
      'page',
      input
        .u32(offset)
        .u32(limit)
        .raw(this.#flagsOf(people ?? [])),
    )
    return {
      rows: Array.from(places.subarray(0, -1), (place) => this.#rows[place] as Row),
      total: places.at(-1) ?? 0,
    }
  }

  totals(now: number): TokenTotals {
    const input = new Input().f64(now).u32(GIVEN).u32(RECEIVED)
    const [live = 0, soon = 0, given = 0, received = 0] = this.module.call('totals', input)
    const request = this.commands.known(REQUEST)
    let [long, mandates] = [0, 0]
    for (const row of this.#rows) {
      const isLong = now - row.createdAt > LONG
      const isCounted = row.type === 'origin' && row.command === request
      if ((!isLong && !isCounted) || !this.isActive(row, now)) continue
      long += Number(isLong)
      mandates += Number(isCounted)
    }
    return { live, soon, long, mandates, given, received }
  }

  /** Whether it is a grant of this account that has not ended. */
  isActive(row: Row, now: number): boolean {
    return isGiven(row) && (row.expiresAt ?? now) >= now && !this.isOff(row)
  }

  /** Whether a command, by its number, allows payments: directly, or through the vault that counts. */
  isMandateCommand(command: number): boolean {
    const { commands } = this
    return command === commands.known(AUTHORIZE) || command === commands.known(REQUEST)
  }

  isMandate(row: Row): boolean {
    return isGiven(row) && this.isMandateCommand(row.command)
  }

  /** The person's name for each mandate, as far as labels have been opened. Reads no token. */
  mandateNames(): TokenName[] {
    return this.#rows.flatMap((row) => {
      const { cid, label } = row
      return label !== undefined && this.isMandate(row) ? [{ cid, label }] : []
    })
  }

  /** What to call those of the CIDs that are stored, as far as labels have been opened. Reads no token. */
  names(cids: readonly string[]): NamedToken[] {
    return cids.flatMap((cid) => {
      const row = this.byCid(cid)
      if (row === undefined) return []
      const { type, issuer, audienceDid, label } = row
      const did = this.people.text(type === 'received' ? issuer : audienceDid)
      return [{ cid, type, did, ...(label !== undefined && { label }) }]
    })
  }

  /** Whom this account's keys granted these commands, newest first, without duplicates. Reads no token. */
  givenTo(commands: readonly string[]): GivenTo[] {
    const numbers = new Set(commands.flatMap((command) => this.commands.known(command) ?? []))
    const found = new Map<string, GivenTo>()
    if (numbers.size === 0) return []
    for (const place of this.order) {
      const { type, issuer, audienceDid, command } = this.#rows[place] as Row
      if (type !== 'origin' || !numbers.has(command)) continue
      const key = `${issuer} ${audienceDid} ${command}`
      if (found.has(key)) continue
      found.set(key, {
        type,
        issuer: this.people.text(issuer),
        audienceDid: this.people.text(audienceDid),
        command: this.commands.text(command),
      })
    }
    return [...found.values()]
  }

  /** A 1 for each of these people, in an array of all people. */
  #flagsOf(people: readonly string[]): Uint8Array {
    const flags = new Uint8Array(people.length > 0 ? this.people.texts.length : 0)
    for (const did of people) {
      const number = this.people.known(did)
      if (number !== undefined) flags[number] = 1
    }
    return flags
  }

  /** Rows in the form that `Index::put_rows` reads. */
  #written(places: readonly number[], rows: readonly Row[]): Input {
    const input = new Input(4 + ROW * rows.length).u32(rows.length)
    rows.forEach((row, at) => {
      input.u32(places[at] ?? 0).f64(row.createdAt)
      input.f64(row.expiresAt ?? Number.POSITIVE_INFINITY).f64(row.notBefore ?? Number.NEGATIVE_INFINITY)
      input.u32(row.command).u32(row.policy).u32(row.issuer).u32(row.audience).u32(row.audienceDid)
      input.u32(row.subject < 0 ? row.issuer : row.subject)
      input.u32(TYPES.indexOf(row.type)).u32(Number(this.isOff(row)))
    })
    return input
  }

  /** Counts a row's revocation, and notes its CID if it is now revoked or no longer is. */
  #revoke(row: Row | undefined, by: 1 | -1, turned: Set<string>): void {
    if (row?.revokes === undefined) return
    const before = this.#revoked.get(row.revokes) ?? 0
    const count = before + by
    if (count > 0) this.#revoked.set(row.revokes, count)
    else this.#revoked.delete(row.revokes)
    if (before === 0 || count === 0) turned.add(row.revokes)
  }

  /** Tells the module whether the rows of these CIDs, and those that came from them, are revoked now. */
  #turn(cids: ReadonlySet<string>): void {
    if (cids.size === 0) return
    const isOneOf = (cid: string) => cids.has(cid)
    const places = this.#rows.flatMap(({ cid, above }, at) =>
      isOneOf(cid) || above?.some(isOneOf) ? [at] : [],
    )
    const input = new Input(4 + 8 * places.length).u32(places.length)
    for (const place of places) input.u32(place).u32(Number(this.isOff(this.#rows[place] as Row)))
    this.module.call('revoke', input)
  }

  /** A token as something that others may have come from. Where it isn't stored, anything may. */
  #ancestor(cid: string): Ancestor {
    const row = this.byCid(cid)
    return row ? this.#ancestorOf(row) : { cid, command: '/', subject: null }
  }

  #ancestorOf({ cid, command, subject }: Row): Ancestor {
    return {
      ...{ cid, command: this.commands.text(command) },
      subject: subject < 0 ? null : this.people.text(subject),
    }
  }

  #row(record: TokenRecord, before: Row | undefined): Row {
    const { id, type, issuer, audience, createdAt, notBefore, expiresAt, revokes, sealedLabel } = record
    const { cid = '', command = '', policy = [], subject = null, audienceDid = audience } = record
    const policyNumber = this.#policies.number(leaves(policy))
    this.#policyOf[policyNumber] ??= policy
    if ((command === AUTHORIZE || command === REQUEST) && MAY_PAY.has(type)) this.#unpaid.add(id)
    return {
      ...{ id, type, cid, createdAt, notBefore, expiresAt, revokes, sealedLabel },
      command: this.commands.number(command),
      issuer: this.people.number(issuer),
      audience: this.people.number(audience),
      audienceDid: this.people.number(audienceDid),
      subject: subject === null ? -1 : this.people.number(subject),
      policy: policyNumber,
      label: undefined,
      payment: undefined,
      above: cameFromOthers(type) ? before?.above : [],
    }
  }

  #changed(): void {
    this.#order = undefined
    this.#byCid = undefined
    this.#unsealed = 0
  }
}

/** A policy's full content in one line. Different policies have different lines. */
function leaves(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(leaves).join(' ')}]`
  if (value instanceof Uint8Array) return `bytes(${value.join(',')})`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)} ${leaves(each)}`)
    return `{${entries.join(' ')}}`
  }
  return typeof value === 'string' ? JSON.stringify(value) : `${value}${typeof value === 'bigint' ? 'n' : ''}`
}
