import type { VaultContext } from '../../session/context.ts'
import { DEVICE_LINK } from '../../storage/devices/device-marks.ts'

/**
 * Loads the code for mandates of an account that is on several devices; undefined for one that is only here, as most
 * are. A failed load is tried again.
 */
export async function loadKeepers({ client, isPersistent }: VaultContext) {
  if (!isPersistent || (await client.storage.readMetadataOf(DEVICE_LINK)) === undefined) return undefined
  return await import('./keepers.ts')
}
