import { forgetDevices } from '../../enclave/needs-devices.ts'
import type { VaultParts } from '../../session/vault-parts.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { LEFT, leavingRecord, leftBehind } from '../../storage/devices/device-marks.ts'

const FAILURE = 'Failed to leave the other account'
const WHAT = 'leaving the other account'

/**
 * Makes an unlocked account that is a limited device an ordinary one: the enclave drops the device's keys, and what is
 * stored of the other account goes in the same transaction. The mark that it is leaving comes first and goes last, as for
 * an account from a file: the second copy may be left with one of two changes. If this tab is killed in between, the next
 * unlock finishes it.
 * @throws VaultError. Then it is a limited device as before; if even that can't be stored, until the next unlock
 */
export async function leaveLimited({ context, changes }: VaultParts, storage: OpenStorage): Promise<void> {
  const { address } = storage
  try {
    await storage.writeBatch(
      { metadata: [leavingRecord(address, context.clock.now())], unmarked: true },
      WHAT,
    )
    await changes.mutateHere({
      act: 'leaveLimited',
      name: 'leave_devices',
      input: {},
      failure: FAILURE,
      prepare: async () => ({ removed: { metadata: await leftBehind(storage) }, unmarked: true }),
    })
  } catch (error) {
    await storage.writeBatch(LEFT, WHAT).catch(() => undefined)
    throw error
  }
  forgetDevices(address)
  // If it fails, the next unlock does it.
  await storage.writeBatch(LEFT, WHAT).catch(() => undefined)
}
