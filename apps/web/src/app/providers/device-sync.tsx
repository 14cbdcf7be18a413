import { DEVICES_KEY } from '@keyhole/vault/storage-names'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'

/** Whether this browser knows that the account is on several devices. */
function isOnDevices(address: string): boolean {
  try {
    return localStorage.getItem(DEVICES_KEY + address) !== null
  } catch {
    return false
  }
}

/** Keeps an account that is on several devices in step with them. For any other account it loads nothing. */
export default function DeviceSync() {
  const vault = useVault()
  const { address } = useVaultSnapshot()
  useEffect(() => {
    if (address === undefined || !isOnDevices(address)) return
    // From the first call on, it goes on by itself. If the script doesn't load, the next unlock tries again.
    import('../../features/devices/devices.ts').then(
      ({ devicesOf }) => devicesOf(vault),
      () => undefined,
    )
  }, [vault, address])
  return null
}
