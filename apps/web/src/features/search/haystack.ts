import type { AccountInfo, KeyInfo, StoredToken } from '@keyhole/vault'
import { isGiven, storedCapability, storedStanding } from '../grants/capability.ts'
import { keyName, keyTypeName } from '../keys/key-name.ts'
import { delegationSentence } from '../words/delegation.ts'
import type { Acquaintance } from '../words/who.ts'
import type { Kind, Status } from './search.ts'

/** One thing that can be found. */
export interface Straw {
  id: string
  kind: Exclude<Kind, 'all'>
  /** Whether it has a time window, and where in it it stands. */
  status: Exclude<Status, 'any'> | undefined
  title: string
  /** What is matched besides the title, and shown where the match is. */
  fields: readonly string[]
  /** All of it in lower case, fields apart: what is scanned. */
  hay: string
  /** The text of a token, to know it again when it is pasted. */
  token?: string
  /** Where it leads. */
  target: Target
}

export type Target =
  | { page: 'token'; tab: 'grants' | 'received'; cid: string }
  | { page: 'check'; token: string }
  | { page: 'keys' }
  | { page: 'accounts' }

interface Held {
  tokens: readonly StoredToken[]
  keys: readonly KeyInfo[]
  accounts: readonly AccountInfo[]
}

/** No field has this in it, so that no match runs from one field into the next. */
const APART = '\u0000'

function straw(base: Omit<Straw, 'hay'>): Straw {
  return { ...base, hay: [base.title, ...base.fields].join(APART).toLowerCase() }
}

/** Everything the vault holds, laid out to be scanned. Tokens that were neither granted nor received are left out. */
export function haystack({ tokens, keys, accounts }: Held, acquaintance: Acquaintance, now: number): Straw[] {
  const shown = tokens.filter((token) => isGiven(token) || token.type === 'received')
  const tokenStraws = shown.map((token) => {
    const received = !isGiven(token)
    const standing = storedStanding(token, now)
    const sentence = delegationSentence(storedCapability(token), acquaintance)
    return straw({
      id: `token:${token.id}`,
      kind: received ? 'received' : 'grant',
      status: standing === 'ended' ? 'ended' : standing === 'soon' ? 'soon' : 'live',
      title: token.label ?? sentence,
      fields: [
        ...(token.label === undefined ? [] : [sentence]),
        token.command,
        token.audienceDid ?? '',
        token.audience,
        token.issuer,
        token.subject ?? '',
        token.cid,
      ].filter((field) => field !== ''),
      token: token.token,
      target: { page: 'token', tab: received ? 'received' : 'grants', cid: token.cid },
    })
  })
  const keyStraws = keys.map((key) =>
    straw({
      id: `key:${key.key_id}`,
      kind: 'key',
      status: undefined,
      title: keyName(key),
      fields: [keyTypeName(key.key_type), key.did],
      target: { page: 'keys' },
    }),
  )
  const accountStraws = accounts.map((account) =>
    straw({
      id: `account:${account.address}`,
      kind: 'account',
      status: undefined,
      title: account.label ?? account.address,
      fields: account.label === undefined ? [] : [account.address],
      target: { page: 'accounts' },
    }),
  )
  return [...tokenStraws, ...keyStraws, ...accountStraws]
}

/** The words of a query; all of them must be found. */
export function needles(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

/** What of the haystack fits: a plain scan, in the haystack's own order. */
export function find(hay: readonly Straw[], query: string, kind: Kind, status: Status): Straw[] {
  const words = needles(query)
  return hay.filter(
    (each) =>
      (kind === 'all' || each.kind === kind) &&
      (status === 'any' || each.status === status || (status === 'live' && each.status === 'soon')) &&
      words.every((word) => each.hay.includes(word)),
  )
}

/** The fields in which a query was found, besides the title: what is shown under it. At most two. */
export function matchingFields(found: Straw, query: string): string[] {
  const words = needles(query)
  const hits = found.fields.filter((field) => words.some((word) => field.toLowerCase().includes(word)))
  return (hits.length > 0 ? hits : found.fields).slice(0, hits.length > 0 ? 2 : 1)
}
