import type { DevicesState } from '@keyhole/vault/devices'

/** Whether this device is no longer one of the account's. If only the relay says so, that isn't certain. */
export function isOut({ isRemoved, waitsFor }: Pick<DevicesState, 'isRemoved' | 'waitsFor'>): boolean {
  return isRemoved || waitsFor === 'relay_revoked'
}
