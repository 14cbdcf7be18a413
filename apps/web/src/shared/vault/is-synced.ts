import { DEVICES_KEY } from '@keyhole/vault/storage-names'

/** Whether this browser knows that the account is on several devices. */
export function isSynced(address: string): boolean {
  try {
    return localStorage.getItem(DEVICES_KEY + address) !== null
  } catch {
    return false
  }
}
