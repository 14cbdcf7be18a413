import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { isSynced } from './is-synced.ts'
import { useVaultQuery } from './vault-query.ts'

/** Whether the recovery code and the site's address alone open the vault in any browser. */
export function useCodeOpens(): boolean {
  const vault = useVault()
  const { address = '' } = useVaultSnapshot()
  const read = async () => (await import('@keyhole/vault/devices')).devicesOf(vault).state()
  // The same question as the list of devices asks, so it is asked again whenever that is.
  const { data } = useVaultQuery('devices', read, { enabled: isSynced(address) })
  return data?.recoveryCodeOpens !== undefined
}
