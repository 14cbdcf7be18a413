import { useVaultSnapshot } from '@keyhole/vault-react'
import { useDevicesState } from './use-devices-state.ts'

/** Whether the recovery code and the site's address alone open the vault in any browser. */
export function useCodeOpens(): boolean {
  const { address = '' } = useVaultSnapshot()
  return useDevicesState(address)?.recoveryCodeOpens !== undefined
}
