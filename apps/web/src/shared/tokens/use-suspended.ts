import { useMandates } from '../vault/use-sealed-lists.ts'
import { isSuspended } from './capability.ts'
import { type ListedToken, useTokenPage } from './use-tokens.ts'

/** Read at most, of everything that the holders of suspended mandates were granted. */
const MOST = 500

/** Those of the active grants that are suspended mandates at `now` (milliseconds), as far as the vault is unlocked. */
export function useSuspended(now: number): readonly ListedToken[] {
  const { mandates } = useMandates()
  const people = mandates.filter(({ suspended }) => suspended).map(({ audience }) => audience)
  const { tokens } = useTokenPage({ list: 'given', live: true, people, limit: MOST })
  return tokens.filter((token) => isSuspended(token, mandates, now))
}
