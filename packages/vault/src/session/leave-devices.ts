import type { Enclave } from '@keyhole/enclave'
import { forgetDevices } from '../enclave/needs-devices.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { LEFT, leftBehind } from '../storage/devices/device-marks.ts'
import type { VaultContext } from './context.ts'

/**
 * Makes an unlocked account that came from a file one on no device: the enclave drops the keys of the device that the
 * file came from, and suspends the mandates that it counts. Nothing happens twice, so it is tried at each unlock until
 * it is done. The caller holds the account's write lock.
 * @throws VaultError. Then the account is as it was, and nothing here uses those keys
 */
export async function leaveDevices(context: VaultContext, enclave: Enclave): Promise<void> {
  const { client } = context
  const { storage } = client
  // A second copy that this browser already had may bring records of a device.
  await storage.startMirror()
  const metadata = await leftBehind(storage)
  const { revision } = context.snapshot
  const { status, enclave: sealed } = await callPlugin(enclave, 'leave_devices', {}, FAILURE)
  try {
    await client.saveSealedState(enclave, sealed, { removed: { metadata }, unmarked: true })
  } catch (error) {
    if (status.revision !== revision) await takeBack(context, enclave, status.revision ?? 0)
    throw error
  }
  if (client.holds(enclave)) context.apply(status)
  // Later, because the second copy may be left with one of two changes: it must never lack both this and the new state.
  await storage.writeBatch(LEFT, 'leaving the devices')
  forgetDevices(storage.address)
}

const FAILURE = 'Failed to leave the devices'

async function takeBack(context: VaultContext, enclave: Enclave, revision: number): Promise<void> {
  try {
    await callPlugin(enclave, 'rollback_vault', { revision }, FAILURE)
  } catch {
    await context.reopen(enclave)
  }
}
