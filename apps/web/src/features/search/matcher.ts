import { asHay, type Flat } from './flat.ts'
import type { FindQuery } from './query.ts'
import type { Row, TokenIndex } from './token-index.ts'
import { isGiven } from './token-index.ts'
import type { Thing } from './token-messages.ts'

/**
 * Letters from which on a word is looked for in DIDs, addresses and CIDs: shorter ones are in nearly each of them by
 * chance, and would bury what is meant.
 */
const LEAST = 4

/** What fits a query: things before tokens, and tokens whose label has a word of it before all others, newest first. */
export function matches(
  query: FindQuery,
  index: TokenIndex,
  things: readonly Thing[],
  thingHay: Flat,
  now: number,
): { things: Thing[]; rows: Uint32Array } {
  return { things: matchingThings(query, things, thingHay), rows: matchingRows(query, index, now) }
}

function matchingThings(query: FindQuery, things: readonly Thing[], hay: Flat): Thing[] {
  const { words, kind, status, command, to, from, before, after, endsBy, cids } = query
  if (status !== undefined || endsBy !== undefined || cids !== undefined || to !== undefined) return []
  const bits = words.map((word) => {
    const hits = new Uint8Array(things.length)
    hay.mark(asHay(word), hits)
    return hits
  })
  return things.filter((thing, at) => {
    if (kind !== undefined && thing.kind !== kind) return false
    if (from !== undefined) return false
    if (command !== undefined && (thing.command === undefined || !covers(command, thing.command)))
      return false
    if (before !== undefined && !(thing.at !== undefined && thing.at < before)) return false
    if (after !== undefined && !(thing.at !== undefined && thing.at >= after)) return false
    return bits.every((hits) => hits[at] === 1)
  })
}

/** The places in the index's rows of what fits. */
function matchingRows(query: FindQuery, index: TokenIndex, now: number): Uint32Array {
  const { cids, words: asked, ...filters } = query
  const all = index.rows
  if (cids !== undefined) {
    const sought = new Set(cids.flatMap((cid) => index.byCid(cid) ?? []))
    return Uint32Array.from(all.keys()).filter((at) => sought.has(all[at] as Row))
  }
  const named = new Uint8Array(all.length)
  let fits: Uint8Array | undefined
  // The longest word is in the fewest: what is left after it is all that the others are looked for in.
  const words = asked.map(asHay).sort((a, b) => b.length - a.length)
  for (const word of words) {
    const hits = rowsWith(word, index, named, fits && isFew(fits) ? fits : undefined)
    if (fits) for (let at = 0; at < hits.length; at += 1) hits[at] = (hits[at] ?? 0) & (fits[at] ?? 0)
    fits = hits
  }
  const wanted = Object.keys(filters).length > 0 ? filterOf(query, index, now) : undefined
  const first = new Uint32Array(all.length)
  const then = new Uint32Array(all.length)
  let firsts = 0
  let thens = 0
  for (let at = 0; at < all.length; at += 1) {
    if (fits && fits[at] === 0) continue
    if (wanted && !wanted(all[at] as Row)) continue
    if (named[at] === 1) {
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

function isFew(fits: Uint8Array): boolean {
  let count = 0
  for (let at = 0; at < fits.length; at += 1) count += fits[at] ?? 0
  return count * 4 < fits.length
}

/** A 1 for each row that has a word in it, of those left where only some are; `named` gets one where it is in the label. */
function rowsWith(
  word: string,
  index: TokenIndex,
  named: Uint8Array,
  among: Uint8Array | undefined,
): Uint8Array {
  const { command, policy, people } = index.columns
  const hits = new Uint8Array(named.length)
  const mark = (texts: Flat) => (among ? texts.markAmong(word, hits, among) : texts.mark(word, hits))
  mark(index.labels)
  for (let at = 0; at < hits.length; at += 1) named[at] = (named[at] ?? 0) | (hits[at] ?? 0)
  // No CID has anything but letters and digits.
  if (word.length >= LEAST && /^[a-z0-9]+$/.test(word)) mark(index.cids)
  const join = (column: Int32Array, texts: Uint8Array) => {
    for (let at = 0; at < column.length; at += 1) hits[at] = (hits[at] ?? 0) | (texts[column[at] ?? 0] ?? 0)
  }
  const joinAll = (columns: readonly Int32Array[], texts: Uint8Array) => {
    // Most words are in no text of most columns.
    if (texts.includes(1)) for (const column of columns) join(column, texts)
  }
  joinAll([command], index.commands.hits(word))
  joinAll([policy], index.policies.hits(word))
  joinAll(people, index.people.hits(word, LEAST))
  return hits
}

/** Whether a row is what the filters of a query ask for. */
function filterOf(query: FindQuery, index: TokenIndex, now: number): (row: Row) => boolean {
  const { kind, status, command, to, from, before, after, endsBy } = query
  const commands =
    command === undefined ? undefined : index.commands.texts.map((text) => covers(command, text))
  const receivers = to === undefined ? undefined : index.people.hits(asHay(to))
  const givers = from === undefined ? undefined : index.people.hits(asHay(from))
  return (row) =>
    isOfKind(row, kind, index) &&
    (commands === undefined || commands[row.command] === true) &&
    (receivers === undefined || receivers[row.audienceDid] === 1 || receivers[row.audience] === 1) &&
    (givers === undefined || givers[row.issuer] === 1) &&
    (before === undefined || row.createdAt < before) &&
    (after === undefined || row.createdAt >= after) &&
    (endsBy === undefined || (row.expiresAt !== undefined && row.expiresAt < endsBy)) &&
    (status === undefined || isStanding(row, status, index, now))
}

function isOfKind(row: Row, kind: FindQuery['kind'], index: TokenIndex): boolean {
  switch (kind) {
    case undefined:
      return true
    case 'grant':
      return isGiven(row)
    case 'mandate':
      return index.isMandate(row)
    case 'received':
      return row.type === 'received'
    case 'signed':
      return row.type === 'invocation' || row.type === 'revocation' || row.type === 'receipt'
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
