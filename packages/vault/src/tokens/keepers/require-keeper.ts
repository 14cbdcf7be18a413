import { deviceNames } from '../../activity/device-lines.ts'
import { refused } from '../../base/errors.ts'
import type { VaultContext } from '../../session/context.ts'
import { DEVICE_LINK } from '../../storage/devices/device-marks.ts'
import { readKept, readMade, readSelf } from './kept-mandates.ts'

/**
 * Lets only one device of an account count a mandate: the one that made it. A merged backup may have brought its count to
 * another one.
 * @param hasCount whether the enclave here has a count of it
 * @throws VaultError OPERATION_FAILED `MandateElsewhere`, `DeviceRemoved`
 */
export async function requireKeeper(
  { client, isPersistent }: VaultContext,
  cid: string,
  hasCount: boolean,
): Promise<void> {
  if (!isPersistent) return
  const { enclave, storage } = client
  if ((await storage.readMetadataOf(DEVICE_LINK)) === undefined) return
  const self = await readSelf(storage)
  if (hasCount && self?.isRemoved) throw refused('DeviceRemoved')
  const keeper = (await readKept({ enclave, storage })).get(cid)?.keeper
  if (keeper === undefined) {
    // Not told yet: then no other device has heard of it, unless it came from another one's backup.
    if (!hasCount || (await readMade(storage)).has(cid)) return
  } else if (keeper === self?.device) return
  const names = await deviceNames(enclave, storage)
  throw refused('MandateElsewhere', { device: names.get(keeper ?? '') ?? '' })
}
