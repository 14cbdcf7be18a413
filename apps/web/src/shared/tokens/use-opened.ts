import type { Handover } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useVaultQuery } from '../vault/vault-query.ts'

/** The links that were handed over, by the grant's CID; undefined while the vault is locked. */
export function useHandovers(): ReadonlyMap<string, Handover> | undefined {
  const vault = useVault()
  const isOpen = useVaultSnapshot().phase === 'unlocked'
  const { data } = useVaultQuery(
    'handovers',
    async () => new Map((await vault.handovers.list()).map((each) => [each.cid, each])),
    { enabled: isOpen },
  )
  return isOpen ? data : undefined
}

/** When the other side said that it opened a grant, in milliseconds since 1970; undefined if that isn't known. */
export function useOpened(cid: string): number | undefined {
  return useHandovers()?.get(cid)?.openedAt
}
