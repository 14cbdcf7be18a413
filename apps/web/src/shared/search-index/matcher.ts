import type { TokenType } from '@keyhole/vault/token-reader'
import { asHay, type Flat } from './flat.ts'
import type { FindQuery } from './query.ts'
import { isGiven, type Row, type TokenIndex, TYPES } from './token-index.ts'
import type { SearchEntry } from './token-messages.ts'

/**
 * Letters from which on a word is looked for in DIDs, addresses and CIDs: shorter ones are in nearly each of them by
 * chance, and would bury what is meant.
 */
const LEAST = 4

/** Finds that are remembered: those of the letters typed last, so that one more letter or one less is answered from them. */
const REMEMBERED = 8
/** No CID has anything but letters and digits. */
const IN_CID = /^[a-z0-9]+$/

/** The rows that have all of some words. */
interface Finds {
  readonly words: readonly string[]
  /** A 1 for each row that has them. */
  readonly fits: Uint8Array
  /** A 1 for each row that has one of them in its label, whether it has the others or not. */
  readonly named: Uint8Array
  readonly count: number
}

/** What fits a query: entries before tokens, and tokens whose label has a word of it before all others, newest first. */
export class Matcher {
  readonly #index: TokenIndex
  #edition = -1
  #remembered: Finds[] = []
  /** Room to put rows in order: made once for as many as there are. */
  #first = new Uint32Array()
  #then = new Uint32Array()

  constructor(index: TokenIndex) {
    this.#index = index
  }

  matches(
    query: FindQuery,
    entries: readonly SearchEntry[],
    thingHay: Flat,
    now: number,
  ): { entries: SearchEntry[]; rows: Uint32Array } {
    return { entries: matchingEntries(query, entries, thingHay), rows: this.#rows(query, now) }
  }

  /** The places in the index's rows of what fits. */
  #rows(query: FindQuery, now: number): Uint32Array {
    const index = this.#index
    const { cids, words: asked, ...filters } = query
    const { order } = index
    if (cids !== undefined) {
      const sought = new Set(cids.flatMap((cid) => index.byCid(cid) ?? []))
      return order.filter((at) => sought.has(index.rows[at] as Row))
    }
    // The longest word is in the fewest: what is left after it is all that the others are looked for in.
    const words = [...new Set(asked.map(asHay))].sort((a, b) => b.length - a.length)
    const finds = words.length > 0 ? this.#find(words) : undefined
    const isNarrowed = Object.values(filters).some((value) => value !== undefined)
    if (!finds && !isNarrowed) return order
    let fits = finds?.fits
    if (!fits || isNarrowed) {
      fits = fits?.slice() ?? new Uint8Array(index.size).fill(1)
      narrow(fits, query, index, now)
    }
    if (this.#first.length < index.size) {
      this.#first = new Uint32Array(index.size)
      this.#then = new Uint32Array(index.size)
    }
    const [first, then] = [this.#first, this.#then]
    let firsts = 0
    let thens = 0
    for (let place = 0; place < order.length; place += 1) {
      const at = order[place] ?? 0
      if (fits[at] === 0) continue
      if (finds?.named[at] === 1) {
        first[firsts] = at
        firsts += 1
      } else {
        then[thens] = at
        thens += 1
      }
    }
    first.set(then.subarray(0, thens), firsts)
    return first.slice(0, firsts + thens)
  }

  #find(words: readonly string[]): Finds {
    const index = this.#index
    if (this.#edition !== index.edition) this.#remembered = []
    this.#edition = index.edition
    // Whatever has these words has those, too: with one letter more it is looked for in what was found before.
    const wider = this.#remembered.filter((finds) => finds.words.every((wide) => words.some(isWithin(wide))))
    const base = wider.reduce<Finds | undefined>(
      (least, finds) => (least && least.count <= finds.count ? least : finds),
      undefined,
    )
    let { fits, count } = base ?? { fits: undefined, count: index.size }
    let left: readonly string[] = words
    let named = new Uint8Array(index.size)
    if (base?.words.every((word) => words.includes(word))) {
      named = base.named.slice()
      left = words.filter((word) => !base.words.includes(word))
      if (left.length === 0) return base
    }
    for (const word of left) {
      const hits = rowsWith(word, index, named, fits && count * 4 < index.size ? fits : undefined)
      count = 0
      for (let at = 0; at < hits.length; at += 1) {
        if (fits && fits[at] === 0) hits[at] = 0
        else count += hits[at] ?? 0
      }
      fits = hits
    }
    const finds = { words, fits: fits ?? new Uint8Array(index.size), named, count }
    this.#remembered = [finds, ...this.#remembered.slice(0, REMEMBERED - 1)]
    return finds
  }
}

/** Whether all that has a word has this part of it as well: short words are not looked for everywhere. */
function isWithin(part: string): (word: string) => boolean {
  return (word) => word.includes(part) && (part.length >= LEAST || word.length < LEAST || word === part)
}

function matchingEntries(query: FindQuery, entries: readonly SearchEntry[], hay: Flat): SearchEntry[] {
  const { words, kind, status, command, to, from, before, after, endsBy, cids } = query
  if (status !== undefined || endsBy !== undefined || cids !== undefined || to !== undefined) return []
  const bits = words.map((word) => {
    const hits = new Uint8Array(entries.length)
    hay.mark(asHay(word), hits)
    return hits
  })
  return entries.filter((entry, at) => {
    if (kind !== undefined && entry.kind !== kind) return false
    if (from !== undefined) return false
    if (command !== undefined && (entry.command === undefined || !covers(command, entry.command)))
      return false
    if (before !== undefined && !(entry.at !== undefined && entry.at < before)) return false
    if (after !== undefined && !(entry.at !== undefined && entry.at >= after)) return false
    return bits.every((hits) => hits[at] === 1)
  })
}

/** A 1 for each row that has a word in it, of those left where only some are; `named` gets one where it is in the label. */
function rowsWith(
  word: string,
  index: TokenIndex,
  named: Uint8Array,
  among: Uint8Array | undefined,
): Uint8Array {
  const { command, policy, issuer, audience, audienceDid, subject } = index.columns
  const hits = new Uint8Array(index.size)
  const mark = (texts: Flat) => (among ? texts.markAmong(word, hits, among) : texts.mark(word, hits))
  mark(index.labels)
  for (let at = 0; at < hits.length; at += 1) named[at] = (named[at] ?? 0) | (hits[at] ?? 0)
  if (word.length >= LEAST && IN_CID.test(word)) mark(index.cids)
  const join = (columns: readonly Int32Array[], texts: Uint8Array) => {
    // Most words are in no text of most columns.
    if (!texts.includes(1)) return
    for (const column of columns)
      for (let at = 0; at < hits.length; at += 1) hits[at] = (hits[at] ?? 0) | (texts[column[at] ?? 0] ?? 0)
  }
  join([command], index.commands.hits(word))
  join([policy], index.policies.hits(word))
  join([issuer, audience, audienceDid, subject], index.people.hits(word, LEAST))
  return hits
}

/** Takes away what the filters of a query do not ask for: column by column, and the dearest last. */
function narrow(fits: Uint8Array, query: FindQuery, index: TokenIndex, now: number): void {
  const { kind, status, command, to, from, before, after, endsBy } = query
  const { columns } = index
  const keep = (fit: (at: number) => boolean) => {
    for (let at = 0; at < fits.length; at += 1) if (fits[at] === 1 && !fit(at)) fits[at] = 0
  }
  if (kind !== undefined) {
    const types = TYPES.map((type) => isOfKind(type, kind))
    keep((at) => types[columns.type[at] ?? 0] === true)
    if (kind === 'mandate') keep((at) => index.isMandate(index.rows[at] as Row))
  }
  if (command !== undefined) {
    const commands = index.commands.texts.map((text) => covers(command, text))
    keep((at) => commands[columns.command[at] ?? 0] === true)
  }
  if (to !== undefined) {
    const people = index.people.hits(asHay(to))
    keep((at) => people[columns.audienceDid[at] ?? 0] === 1 || people[columns.audience[at] ?? 0] === 1)
  }
  if (from !== undefined) {
    const people = index.people.hits(asHay(from))
    keep((at) => people[columns.issuer[at] ?? 0] === 1)
  }
  if (before !== undefined) keep((at) => (columns.createdAt[at] ?? 0) < before)
  if (after !== undefined) keep((at) => (columns.createdAt[at] ?? 0) >= after)
  if (endsBy !== undefined) keep((at) => (columns.expiresAt[at] ?? 0) < endsBy)
  if (status !== undefined) keep((at) => isStanding(index.rows[at] as Row, status, index, now))
}

function isOfKind(type: TokenType, kind: FindQuery['kind']): boolean {
  switch (kind) {
    case 'grant':
    case 'mandate':
      return isGiven({ type })
    case 'received':
      return type === 'received'
    case 'signed':
      return type === 'invocation' || type === 'revocation' || type === 'receipt'
    default:
      return false
  }
}

/** What opens nothing of itself is neither live nor ended. */
function isStanding(row: Row, status: FindQuery['status'], index: TokenIndex, now: number): boolean {
  if (!isGiven(row) && row.type !== 'received') return false
  const stands = index.standing(row, now)
  if (status === 'live') return stands !== 'ended' && stands !== 'revoked'
  return stands === status
}

/** Whether a command covers another one, segment by segment. */
function covers(wider: string, narrower: string): boolean {
  return wider === '/' || narrower === wider || narrower.startsWith(`${wider}/`)
}
