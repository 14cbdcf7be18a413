import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'
import { isSynced } from '../../shared/vault/is-synced.ts'

/** Keeps an account that is on several devices in step with them. For any other account it loads nothing. */
export default function DeviceSync() {
  const vault = useVault()
  const { address, phase } = useVaultSnapshot()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each phase is another try, such as an unlock
  useEffect(() => {
    if (address === undefined || !isSynced(address)) return
    // From the first call on, it goes on by itself. If the script doesn't load, the next unlock tries again.
    import('../../features/devices/devices.ts').then(
      ({ devicesOf }) => devicesOf(vault),
      () => undefined,
    )
  }, [vault, address, phase])
  return null
}
