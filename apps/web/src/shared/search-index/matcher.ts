import { covers } from '../words/covers.ts'
import type { FindQuery } from './query.ts'
import { asHay, Input, TEXTS } from './search-module.ts'
import { bitsOf, GIVEN, isGiven, RECEIVED, type TokenIndex } from './token-index.ts'
import type { SearchEntry } from './token-messages.ts'

/**
 * The shortest word to look for in DIDs, addresses and CIDs. Shorter ones occur in nearly all of them by chance and would hide what was
 * meant.
 */
const LEAST = 4
/** A CID has only letters and digits. */
const IN_CID = /^[a-z0-9]+$/
/** Read by `Query::read` in `crates/search`. */
const [HAS_TO, HAS_FROM] = [1, 2]
const [IN_PEOPLE, IN_CIDS] = [1, 2]
const STATUS = { live: 1, soon: 2, ended: 3, revoked: 4 } as const

/** What matches a query, until the index changes. */
export interface Matches {
  readonly entries: readonly SearchEntry[]
  /** How many tokens. */
  readonly total: number
  /** The positions of some of the tokens in the index, in order. */
  rows(from: number, count: number): Uint32Array
}

/** Matches a query: entries before tokens, tokens with a word in their label before all others, newest first. */
export class Matcher {
  readonly #index: TokenIndex
  #entries: readonly SearchEntry[] = []

  constructor(index: TokenIndex) {
    this.#index = index
  }

  /** Everything that can be found apart from tokens. */
  get entries(): readonly SearchEntry[] {
    return this.#entries
  }

  set entries(entries: readonly SearchEntry[]) {
    const { module } = this.#index
    this.#entries = entries
    module.call('clear_texts', undefined, TEXTS.entries)
    module.putTexts(
      TEXTS.entries,
      entries.map((_, at) => at),
      entries.map(({ title, fields, words = '' }) => [title, ...fields, words].join('\u0000')),
    )
  }

  /** What matches. Only the last answer gives tokens. */
  matches(query: FindQuery, now: number): Matches {
    const entries = this.#matchingEntries(query)
    if (query.cids !== undefined) {
      const places = this.#placesOf(query.cids)
      return {
        ...{ entries, total: places.length },
        rows: (from, count) => places.subarray(from, from + count),
      }
    }
    const { module } = this.#index
    const [total = 0] = this.#find(query, now)
    return {
      ...{ entries, total },
      rows: (from, count) => module.call('found', new Input().u32(from).u32(count)),
    }
  }

  #placesOf(cids: readonly string[]): Uint32Array {
    const index = this.#index
    const sought = new Set(cids.flatMap((cid) => index.byCid(cid) ?? []))
    return index.order.filter((at) => {
      const row = index.rows[at]
      return row !== undefined && sought.has(row)
    })
  }

  /** @returns how many tokens match */
  #find(query: FindQuery, now: number): Uint32Array {
    const index = this.#index
    const { to, from, before, after, endsBy, status } = query
    const input = new Input()
    for (const time of [now, before, after, endsBy]) input.f64(time ?? Number.NaN)
    input.u32(this.#kinds(query)).u32(status === undefined ? 0 : STATUS[status])
    input.u32((to === undefined ? 0 : HAS_TO) | (from === undefined ? 0 : HAS_FROM))
    input.raw(this.#commands(query))
    input.text(asHay(to ?? '')).text(asHay(from ?? ''))
    // The longest word matches least, so the others are searched only in what it leaves.
    const words = [...new Set(query.words.map(asHay))].sort((a, b) => b.length - a.length)
    input.u32(words.length)
    for (const word of words) {
      const isLong = word.length >= LEAST
      input.u32((isLong ? IN_PEOPLE : 0) | (isLong && IN_CID.test(word) ? IN_CIDS : 0)).text(word)
    }
    index.flush()
    return index.module.call('find', input)
  }

  /** A bit for each type that may match. */
  #kinds({ kind, status }: FindQuery): number {
    const kinds = kind === undefined ? 0xffff_ffff : kindBits(kind)
    // Requests, revocations and receipts are neither active nor expired.
    return (status === undefined ? kinds : kinds & (GIVEN | RECEIVED)) >>> 0
  }

  /** A 1 for each command that may match. Empty means any. */
  #commands({ kind, command }: FindQuery): Uint8Array {
    if (kind !== 'mandate' && command === undefined) return new Uint8Array()
    const { commands } = this.#index
    return Uint8Array.from(commands.texts, (text, number) => {
      const isPayment = kind !== 'mandate' || this.#index.isMandateCommand(number)
      return Number(isPayment && (command === undefined || covers(command, text)))
    })
  }

  #matchingEntries(query: FindQuery): SearchEntry[] {
    const { words, kind, status, command, to, from, before, after, endsBy, cids } = query
    if ([status, endsBy, cids, to, from].some((filter) => filter !== undefined)) return []
    const hits = words.map((word) => new Set(this.#index.module.scan(TEXTS.entries, asHay(word))))
    return this.#entries.filter((entry, at) => {
      if (kind !== undefined && entry.kind !== kind) return false
      if (command !== undefined && (entry.command === undefined || !covers(command, entry.command)))
        return false
      if (before !== undefined && !(entry.at !== undefined && entry.at < before)) return false
      if (after !== undefined && !(entry.at !== undefined && entry.at >= after)) return false
      return hits.every((having) => having.has(at))
    })
  }
}

function kindBits(kind: NonNullable<FindQuery['kind']>): number {
  switch (kind) {
    case 'grant':
    case 'mandate':
      return GIVEN
    case 'received':
      return RECEIVED
    case 'signed':
      return bitsOf((type) => !isGiven({ type }) && type !== 'received')
    default:
      return 0
  }
}
