import type { DevicesState } from '@keyhole/vault/devices'
import { useVault } from '@keyhole/vault-react'
import { isSynced } from './is-synced.ts'
import { useVaultQuery } from './vault-query.ts'

/** How the devices of an account are. Undefined until that was read, and for an account on no devices, which loads nothing. */
export function useSyncedState(address: string): DevicesState | undefined {
  const vault = useVault()
  const read = async () => (await import('@keyhole/vault/devices')).devicesOf(vault).state()
  // The same question as the list of devices asks, so it is asked again whenever that is.
  return useVaultQuery('devices', read, { enabled: isSynced(address) }).data
}
