import { useVaultSnapshot } from '@keyhole/vault-react'
import { useSyncedState } from './synced-state.ts'

/** Whether the recovery code and the site's address alone open the vault in any browser. */
export function useCodeOpens(): boolean {
  const { address = '' } = useVaultSnapshot()
  return useSyncedState(address)?.recoveryCodeOpens !== undefined
}
