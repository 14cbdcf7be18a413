import type { VaultError } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { useMemo } from 'react'
import type { ListedToken, NamedToken, TokenQuery, TokenTotals } from '../search-index/token-messages.ts'
import { useLook } from '../search-index/use-answer.ts'
import { isOpening } from '../vault/is-opening.ts'

export type { ListedToken, NamedToken, TokenListName, TokenQuery } from '../search-index/token-messages.ts'

export interface TokenPage {
  readonly loading: boolean
  readonly tokens: readonly ListedToken[]
  /** How many there are beyond the limit, too. Without `early`, always. */
  readonly total: number
  /** Whether that isn't known yet, and there are at least as many. */
  readonly isFirst: boolean
  /** Why they could not be read. */
  readonly error?: VaultError | undefined
}

export interface TokenCounts extends TokenTotals {
  readonly loading: boolean
}

const NONE: TokenTotals = { live: 0, soon: 0, long: 0, mandates: 0, given: 0, received: 0 }
const NO_TOKENS: readonly ListedToken[] = []

/** Whether something is still to come, where there is nothing yet. */
function useComing(): boolean {
  const { phase } = useVaultSnapshot()
  return isOpening(phase) || phase === 'locked' || phase === 'unlocked'
}

/** A stretch of a list of tokens, the next to end first; renders again when they change, in any tab. */
export function useTokenPage(asked: TokenQuery): TokenPage {
  const { list, live = false, people, limit, offset = 0, early = false } = asked
  const query = { list, live, limit, offset, ...(people && { people }), ...(early && { early }) }
  const { answer, failure } = useLook({ ask: 'page', query })
  const coming = useComing()
  const loading = answer === undefined && failure === undefined && coming
  // While another stretch is asked for, the answer about the last one stands.
  const tokens = answer?.offset === offset ? answer.tokens : NO_TOKENS
  return { loading, tokens, total: answer?.total ?? 0, isFirst: answer?.isFirst ?? false, error: failure }
}

/** One token by its CID. */
export function useToken(cid: string | undefined): { loading: boolean; token: ListedToken | undefined } {
  const { answer, isCurrent } = useLook(cid === undefined ? undefined : { ask: 'token', cid })
  const coming = useComing()
  // While another one is looked for, the answer about the last one stands.
  const token = isCurrent ? answer?.token : undefined
  const known = cid === undefined || isCurrent
  return { loading: !known && coming, token }
}

const NO_CIDS: readonly string[] = []

/** Those of some tokens, by their CIDs, that are revoked as far as this vault knows: whether or not they are stored here themselves. */
export function useRevoked(cids: readonly string[]): readonly string[] {
  const { answer, isCurrent } = useLook(cids.length === 0 ? undefined : { ask: 'revoked', cids })
  return isCurrent ? (answer ?? NO_CIDS) : NO_CIDS
}

/** Those of some stored tokens, by their CIDs, that are revoked, or came from something that is. */
export function useOff(cids: readonly string[]): readonly string[] {
  const { answer, isCurrent } = useLook(cids.length === 0 ? undefined : { ask: 'off', cids })
  return isCurrent ? (answer ?? NO_CIDS) : NO_CIDS
}

/** Those of some stored tokens, by their CIDs, that are active grants of this account. */
export function useActive(cids: readonly string[]): readonly string[] {
  const { answer, isCurrent } = useLook(cids.length === 0 ? undefined : { ask: 'active', cids })
  return isCurrent ? (answer ?? NO_CIDS) : NO_CIDS
}

/** What to call those of some tokens that are stored, by their CIDs. No token is read for it. */
export function useTokenNames(cids: readonly string[]): ReadonlyMap<string, NamedToken> {
  const { answer } = useLook(cids.length === 0 ? undefined : { ask: 'names', cids })
  return useMemo(() => new Map(answer?.tokens.map((token) => [token.cid, token])), [answer])
}

/** How many tokens there are of each sort. */
export function useTokenCounts(): TokenCounts {
  const { answer, failure } = useLook({ ask: 'counts' })
  const coming = useComing()
  return { loading: answer === undefined && failure === undefined && coming, ...(answer ?? NONE) }
}
