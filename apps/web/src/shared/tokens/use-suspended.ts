import type { Mandate } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { useMandates } from '../vault/use-sealed-lists.ts'
import { useActive, useTokenCounts } from './use-tokens.ts'

/** The suspended mandates that are active grants otherwise. Empty while the vault is locked. */
export function useSuspended(): readonly Mandate[] {
  const { mandates } = useMandates()
  const suspended = mandates.filter((mandate) => mandate.suspended)
  const active = useActive(suspended.map(({ cid }) => cid))
  return suspended.filter(({ cid }) => active.includes(cid))
}

/** How many grants have not ended. */
interface ActiveCount {
  /** Known to be active. */
  readonly active: number
  readonly suspended: number
  /** Mandates that are one or the other: it is sealed, and can't be read now. */
  readonly unclear: number
}

/** How many grants of the current account are active, as far as that can be known. Zero until they are counted. */
export function useActiveCount(): ActiveCount {
  const { phase } = useVaultSnapshot()
  const { loading, error } = useMandates()
  const { live, mandates } = useTokenCounts()
  const found = useSuspended().length
  const isKnown = phase === 'unlocked' && !loading && error === undefined
  // After an error the last list stays, but its mandates are counted as unclear.
  const suspended = isKnown ? found : 0
  const unclear = isKnown ? 0 : mandates
  return { active: live - suspended - unclear, suspended, unclear }
}
