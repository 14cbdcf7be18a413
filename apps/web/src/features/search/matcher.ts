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
): { things: Thing[]; rows: Row[] } {
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

function matchingRows(query: FindQuery, index: TokenIndex, now: number): Row[] {
  const { cids } = query
  if (cids !== undefined) return cids.flatMap((cid) => index.byCid(cid) ?? [])
  const all = index.rows
  const words = query.words.map(asHay)
  const fits = new Uint8Array(all.length).fill(1)
  const named = new Uint8Array(all.length)
  for (const word of words) {
    const hits = new Uint8Array(all.length)
    index.labels.mark(word, hits)
    for (let at = 0; at < hits.length; at += 1) if (hits[at] === 1) named[at] = 1
    if (word.length >= LEAST) index.cids.mark(word, hits)
    const commands = index.commands.hits(word)
    const policies = index.policies.hits(word)
    const people = index.people.hits(word, LEAST)
    for (let at = 0; at < hits.length; at += 1) {
      const row = all[at]
      if (hits[at] === 1 || !row) continue
      const hit =
        commands[row.command] === 1 ||
        policies[row.policy] === 1 ||
        people[row.audienceDid] === 1 ||
        people[row.audience] === 1 ||
        people[row.issuer] === 1 ||
        (row.subject >= 0 && people[row.subject] === 1)
      if (!hit) fits[at] = 0
    }
  }
  const wanted = filterOf(query, index, now)
  const first: Row[] = []
  const then: Row[] = []
  for (let at = 0; at < all.length; at += 1) {
    const row = all[at]
    if (!row || fits[at] === 0 || !wanted(row)) continue
    if (named[at] === 1) first.push(row)
    else then.push(row)
  }
  return first.concat(then)
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
