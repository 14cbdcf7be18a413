import type { StoredToken, VaultError } from '@keyhole/vault'
import { useTokens } from '@keyhole/vault-react'
import { useMemo } from 'react'
import { byNextEnd, isGiven, storedStanding } from '../grants/capability.ts'
import { useNow } from './use-now.ts'

/** A stored token, with what other stored tokens say of it. */
export interface ListedToken extends StoredToken {
  /** Whether a revocation of it is stored here. */
  readonly revoked: boolean
}

/** What a list shows: what this account gave away, mandates alone, what it was given, or what it signed besides. */
export type TokenListName = 'given' | 'mandates' | 'received' | 'signed'

export interface TokenQuery {
  readonly list: TokenListName
  /** Only those that still open something: neither ended nor revoked. Default false. */
  readonly live?: boolean
  /** At most this many, the next to end first. */
  readonly limit: number
}

export interface TokenPage {
  readonly loading: boolean
  readonly tokens: readonly ListedToken[]
  /** How many there are beyond the limit, too. */
  readonly total: number
  /** Why they could not be read. */
  readonly error?: VaultError | undefined
}

export interface TokenCounts {
  readonly loading: boolean
  /** Given away, and still opening something. */
  readonly live: number
  /** Of those, how many end soon. */
  readonly soon: number
  readonly given: number
  readonly received: number
}

const PAYMENT = '/payment/authorize'

function belongs({ type, command }: StoredToken, list: TokenListName): boolean {
  const given = type === 'origin' || type === 'attenuated'
  switch (list) {
    case 'given':
      return given
    case 'mandates':
      return given && command === PAYMENT
    case 'received':
      return type === 'received'
    case 'signed':
      return type === 'invocation' || type === 'revocation' || type === 'receipt'
  }
}

function useListed() {
  const { loading, tokens, error } = useTokens()
  const listed = useMemo(() => {
    const revoked = new Set(tokens.flatMap(({ revokes }) => (revokes === undefined ? [] : [revokes])))
    return tokens.map((token): ListedToken => ({ ...token, revoked: revoked.has(token.cid) }))
  }, [tokens])
  return { loading, listed, error }
}

const isLive = (token: ListedToken, now: number) => !token.revoked && storedStanding(token, now) !== 'ended'

/** The first of a list of tokens, the next to end first; renders again when they change, in any tab. */
export function useTokenPage({ list, live = false, limit }: TokenQuery): TokenPage {
  const { loading, listed, error } = useListed()
  const now = useNow()
  return useMemo(() => {
    const all = listed.filter((token) => belongs(token, list) && (!live || isLive(token, now)))
    return { loading, tokens: all.sort(byNextEnd(now)).slice(0, limit), total: all.length, error }
  }, [loading, listed, error, list, live, limit, now])
}

/** One token by its CID. */
export function useToken(cid: string | undefined): { loading: boolean; token: ListedToken | undefined } {
  const { loading, listed } = useListed()
  const token = useMemo(() => listed.find((each) => each.cid === cid), [listed, cid])
  return { loading, token: cid === undefined ? undefined : token }
}

/** How many tokens there are of each sort. */
export function useTokenCounts(): TokenCounts {
  const { loading, listed } = useListed()
  const now = useNow()
  return useMemo(() => {
    const given = listed.filter(isGiven)
    const live = given.filter((token) => isLive(token, now))
    return {
      loading,
      live: live.length,
      soon: live.filter((token) => storedStanding(token, now) === 'soon').length,
      given: given.length,
      received: listed.filter((token) => token.type === 'received').length,
    }
  }, [loading, listed, now])
}
