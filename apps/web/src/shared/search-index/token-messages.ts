import type { SealedLabel, StoredToken } from '@keyhole/vault'
import { refused, type TokenRecord, type TokenType, VaultError } from '@keyhole/vault/token-reader'
import { covers } from '../words/covers.ts'
import type { FindQuery } from './query.ts'

/** What says whether a token may have grown out of another one. */
export interface Ancestor {
  readonly cid: string
  readonly command: string
  /** Null means any subject that its issuer may delegate. */
  readonly subject: string | null
}

/** Whether tokens of a type may have grown out of other ones. */
export const cameFromOthers = (type: TokenType) => type === 'attenuated' || type === 'received'

/** Whether a stored token may have grown out of another one; only those are opened. */
export function mayContinue(parent: Ancestor, token: Ancestor & { readonly type: TokenType }): boolean {
  if (token.cid === parent.cid || !cameFromOthers(token.type)) return false
  if (parent.subject !== null && token.subject !== null && parent.subject !== token.subject) return false
  return covers(parent.command, token.command)
}

/** A stored token, with what other stored tokens say about it. */
export interface ListedToken extends StoredToken {
  /** Whether a revocation of it is stored here. */
  readonly revoked: boolean
  /** Whether one of something that it came from is. Then it gives nothing any more, whatever its own time says. */
  readonly revokedAbove?: boolean
}

/** Which list: what this account granted, only its mandates without a budget, what it received, or what else it signed. */
export type TokenListName = 'given' | 'mandates' | 'received' | 'signed'

export interface TokenQuery {
  readonly list: TokenListName
  /** Only active ones: not expired, and neither they nor what they came from revoked. Default false. */
  readonly live?: boolean
  /** Only those granted to one of these DIDs, or received from one of them. Default: everyone's. */
  readonly people?: readonly string[]
  /** The most to return, soonest to expire first. */
  readonly limit: number
  /** How many to skip. Default 0. */
  readonly offset?: number
  /** Whether its first page is wanted before all tokens are read, without its total. Default false. */
  readonly early?: boolean
}

/** A page of a list. */
export interface ListedTokens {
  readonly tokens: readonly ListedToken[]
  /** How many were skipped. */
  readonly offset: number
  /** The total, beyond the limit too. */
  readonly total: number
  /** Not all tokens are read yet: there may be more than the total. */
  readonly isFirst?: true
}

export interface TokenTotals {
  /** Active grants. */
  readonly live: number
  /** How many of them expire soon. */
  readonly soon: number
  /** How many active grants were made long ago. */
  readonly long: number
  /** How many active grants are mandates with a budget. The vault may have suspended them. */
  readonly mandates: number
  readonly given: number
  readonly received: number
}

/** Whom this account granted a command. */
export interface GivenTo {
  readonly type: 'origin'
  readonly issuer: string
  readonly audienceDid: string
  readonly command: string
}

/** The person's name for a token. */
export interface TokenName {
  readonly cid: string
  readonly label: string
}

/** A token in search results: everything except its text. */
export type FoundToken = Omit<ListedToken, 'token'>

/** What to call a stored token. */
export interface NamedToken {
  readonly cid: string
  readonly type: TokenType
  /** The other side: who gave it, or whom it was given to. */
  readonly did: string
  /** The person's name for it. */
  readonly label?: string
}

/** The kinds of entries that search finds apart from tokens. */
export type SearchEntryKind = 'contact' | 'key' | 'account' | 'session' | 'payment' | 'activity'

/** Something other than a token that can be found, in words. */
export interface SearchEntry {
  readonly id: string
  readonly kind: SearchEntryKind
  readonly title: string
  /** Matched in addition to the title, and shown where they match. */
  readonly fields: readonly string[]
  /** Matched in addition, and never shown. */
  readonly words?: string
  /** When it was created or done, in milliseconds since 1970. */
  readonly at?: number
  readonly command?: string
  readonly target: Target
}

/** Where a result is shown. */
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

/** A page of results. */
export interface Finds {
  readonly items: readonly FoundItem[]
  /** How many match. */
  readonly total: number
  /** How many there are in total. */
  readonly held: number
}

/** A stored token about payments: a request for one, or a mandate. */
export interface PaymentToken {
  readonly cid: string
  readonly type: TokenType
  readonly policy: readonly unknown[]
  readonly token: string
}

/** What such a token is found by, which its record doesn't say. */
export interface PaymentWords {
  /** Its amounts, as people type them, and its order. */
  readonly words: string
  /** DIDs of who is paid. It's found by their names too. */
  readonly payees: readonly string[]
}

/** What the page can ask, with the type of each answer. */
export interface Answers {
  page: ListedTokens
  token: { token: ListedToken | undefined }
  /** Those of the CIDs whose revocation is stored here. */
  revoked: readonly string[]
  /** Those of the CIDs that are revoked, or came from something that is. */
  off: readonly string[]
  /** Those of the CIDs that are active grants. */
  active: readonly string[]
  /** The texts of tokens that may have grown out of one of these. */
  continuing: readonly string[]
  /** The names of mandates that have one. */
  mandateNames: { readonly tokens: readonly TokenName[] }
  /** What to call those of the CIDs that are stored. */
  names: { readonly tokens: readonly NamedToken[] }
  /** Whom this account's keys granted these commands, newest first, without duplicates. Expired grants too. */
  givenTo: readonly GivenTo[]
  counts: TokenTotals
  find: Finds
}

export type Question =
  | { readonly ask: 'page'; readonly query: TokenQuery; readonly now: number }
  | { readonly ask: 'token'; readonly cid: string }
  | { readonly ask: 'revoked'; readonly cids: readonly string[] }
  | { readonly ask: 'off'; readonly cids: readonly string[] }
  | { readonly ask: 'active'; readonly cids: readonly string[]; readonly now: number }
  | { readonly ask: 'continuing'; readonly parents: readonly Ancestor[] }
  | { readonly ask: 'mandateNames' }
  | { readonly ask: 'names'; readonly cids: readonly string[] }
  | { readonly ask: 'givenTo'; readonly commands: readonly string[] }
  | { readonly ask: 'counts'; readonly now: number }
  | {
      readonly ask: 'find'
      readonly query: FindQuery
      readonly from: number
      readonly count: number
      readonly now: number
    }

/** A refusal as sent between the worker and the page. */
export type SentRefusal = Pick<VaultError, 'code' | 'message' | 'details'>

/** A failure as a refusal by the vault, without any text from a library or the browser. */
export function refusalOf(error: unknown): VaultError {
  if (error instanceof VaultError) return error
  console.error('The list of tokens failed:', error)
  return refused('TokensUnread')
}

/** The same, ready to send. */
export function sentRefusal(error: unknown): SentRefusal {
  const { code, message, details } = refusalOf(error)
  return { code, message, details }
}

/** Messages from the page to the token service. */
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
  /** Part of a group of entries. It replaces everything in the group from that position. */
  | {
      readonly do: 'entries'
      readonly group: string
      readonly entries: readonly SearchEntry[]
      readonly at: number
      readonly isLast: boolean
    }
  | { readonly do: 'notes'; readonly commands?: Notes; readonly people?: Notes }
  | { readonly do: 'answer'; readonly id: number; readonly question: Question }

/** The same to its worker, which also gets the memory for answers that both share, and ends itself. */
export type ToWorker =
  | ToService
  | { readonly do: 'share'; readonly answers: SharedArrayBuffer }
  | { readonly do: 'end' }

/** Texts with a note on each. */
export type Notes = readonly (readonly [text: string, note: string])[]

/** Messages from the service to the page. */
export type ToPage =
  | { readonly tell: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly tell: 'refusal'; readonly id: number; readonly refusal: SentRefusal }
  /** Earlier answers may be out of date. */
  | { readonly tell: 'changed' }
  /** Commands not seen before. If the page has words for them, it sends them. */
  | { readonly tell: 'commands'; readonly commands: readonly string[] }
  /** Labels to open, records to complete, tokens whose CIDs are needed, with those they came from, or whose payments are. `help` returns them in the same order. */
  | { readonly tell: 'open'; readonly id: number; readonly labels: readonly SealedLabel[] }
  | { readonly tell: 'complete'; readonly id: number; readonly records: readonly TokenRecord[] }
  | { readonly tell: 'chains'; readonly id: number; readonly tokens: readonly string[] }
  | { readonly tell: 'payments'; readonly id: number; readonly tokens: readonly PaymentToken[] }
