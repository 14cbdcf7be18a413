import type { SealedLabel, StoredToken } from '@keyhole/vault'
import { refused, type TokenRecord, VaultError } from '@keyhole/vault/token-reader'
import type { FindQuery } from './query.ts'

/** A stored token, with what other stored tokens say of it. */
export interface ListedToken extends StoredToken {
  /** Whether a revocation of it is stored here. */
  readonly revoked: boolean
}

/** What a list shows: what this account gave away, mandates without a budget alone, what it was given, or what it signed besides. */
export type TokenListName = 'given' | 'mandates' | 'received' | 'signed'

export interface TokenQuery {
  readonly list: TokenListName
  /** Only those that still open something: neither ended nor revoked. Default false. */
  readonly live?: boolean
  /** Only those given to one of these DIDs, or received from one of them. Default: everyone's. */
  readonly people?: readonly string[]
  /** At most this many, the next to end first. */
  readonly limit: number
  /** How many of them are passed over before. Default 0. */
  readonly offset?: number
}

/** A page of a list. */
export interface ListedTokens {
  readonly tokens: readonly ListedToken[]
  /** How many were passed over before. */
  readonly offset: number
  /** How many there are beyond the limit, too. */
  readonly total: number
}

export interface TokenTotals {
  /** Given away, and still opening something. */
  readonly live: number
  /** Of those, how many end soon. */
  readonly soon: number
  readonly given: number
  readonly received: number
}

/** What the person calls a token. */
export interface TokenName {
  readonly cid: string
  readonly label: string
}

/** A token as a list of finds shows it: all but its text. */
export type FoundToken = Omit<ListedToken, 'token'>

/** What kinds of entries are found besides tokens. */
export type SearchEntryKind = 'contact' | 'key' | 'account' | 'session' | 'payment' | 'activity'

/** Something other than a token that can be found, in words. */
export interface SearchEntry {
  readonly id: string
  readonly kind: SearchEntryKind
  readonly title: string
  /** What is matched besides the title, and shown where the match is. */
  readonly fields: readonly string[]
  /** When it was made or done, in milliseconds since 1970. */
  readonly at?: number
  readonly command?: string
  readonly target: Target
}

/** Where something that was found is shown. */
export type Target =
  | { page: 'token'; tab: 'grants' | 'received'; cid: string }
  | { page: 'signed'; cid: string }
  | { page: 'mandate'; cid: string }
  | { page: 'payment'; cid: string }
  | { page: 'check'; token: string }
  | { page: 'contact'; id: string }
  | { page: 'keys' }
  | { page: 'accounts' }
  | { page: 'sessions' }
  | { page: 'activity' }

export type FoundItem =
  | { readonly token: FoundToken; readonly entry?: undefined }
  | { readonly entry: SearchEntry; readonly token?: undefined }

/** A stretch of what was found. */
export interface Finds {
  readonly items: readonly FoundItem[]
  /** How many fit. */
  readonly total: number
  /** How many there are of everything. */
  readonly held: number
}

/** What the page asks for, and what is answered. */
export interface Answers {
  page: ListedTokens
  token: { token: ListedToken | undefined }
  /** Those of the CIDs of which a revocation is stored here. */
  revoked: readonly string[]
  /** Of the mandates that were given a name. */
  mandateNames: { readonly tokens: readonly TokenName[] }
  counts: TokenTotals
  find: Finds
}

export type Question =
  | { readonly ask: 'page'; readonly query: TokenQuery; readonly now: number }
  | { readonly ask: 'token'; readonly cid: string }
  | { readonly ask: 'revoked'; readonly cids: readonly string[] }
  | { readonly ask: 'mandateNames' }
  | { readonly ask: 'counts'; readonly now: number }
  | {
      readonly ask: 'find'
      readonly query: FindQuery
      readonly from: number
      readonly count: number
      readonly now: number
    }

/** A refusal as it travels between the worker and the page. */
export type SentRefusal = Pick<VaultError, 'code' | 'message' | 'details'>

/** A failure as the vault's refusal: never what a library or the browser says. */
export function refusalOf(error: unknown): VaultError {
  if (error instanceof VaultError) return error
  console.error('The list of tokens failed:', error)
  return refused('TokensUnread')
}

/** The same, ready to be sent. */
export function sentRefusal(error: unknown): SentRefusal {
  const { code, message, details } = refusalOf(error)
  return { code, message, details }
}

/** What the page tells the service of the tokens. */
export type ToService =
  | {
      readonly do: 'open'
      readonly address: string
      readonly unlocked: boolean
      /** The account is open from its second copy. */
      readonly fromCopy: boolean
    }
  | { readonly do: 'follow' }
  | { readonly do: 'unlocked' }
  | { readonly do: 'help'; readonly id: number; readonly help: readonly unknown[] }
  /** A slice of a group of entries, which takes the place of what was in the group from there on. */
  | {
      readonly do: 'entries'
      readonly group: string
      readonly entries: readonly SearchEntry[]
      readonly at: number
      readonly isLast: boolean
    }
  | { readonly do: 'notes'; readonly commands?: Notes; readonly people?: Notes }
  | { readonly do: 'answer'; readonly id: number; readonly question: Question }
/** Texts, and what else is said of each. */
export type Notes = readonly (readonly [text: string, note: string])[]

/** What the service tells the page. */
export type ToPage =
  | { readonly tell: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly tell: 'refusal'; readonly id: number; readonly refusal: SentRefusal }
  | { readonly tell: 'reading'; readonly read: number; readonly total: number }
  /** What was answered before may be otherwise now. */
  | { readonly tell: 'changed' }
  /** Commands that were not seen before: whoever has words for them says them. */
  | { readonly tell: 'commands'; readonly commands: readonly string[] }
  /** Labels to be opened, or records to be completed, and given back by `help` in the same order. */
  | { readonly tell: 'open'; readonly id: number; readonly labels: readonly SealedLabel[] }
  | { readonly tell: 'complete'; readonly id: number; readonly records: readonly TokenRecord[] }
