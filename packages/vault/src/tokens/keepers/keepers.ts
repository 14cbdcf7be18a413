import { deviceNames } from '../../activity/device-lines.ts'
import { refused } from '../../base/errors.ts'
import { type Mandate, toMandate } from '../../enclave/mandate.ts'
import type { VaultContext } from '../../session/context.ts'
import { asTold, readKept, readMade, readSelf } from './kept-mandates.ts'

export { madeRecord } from './kept-mandates.ts'

/**
 * Lets only one device of an account count a mandate: the one that made it. A merged backup may have brought its count to
 * another one.
 * @param hasCount whether the enclave here has a count of it
 * @throws VaultError OPERATION_FAILED `MandateElsewhere`, `DeviceRemoved`
 */
export async function requireKeeper({ client }: VaultContext, cid: string, hasCount: boolean): Promise<void> {
  const { enclave, storage } = client
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

/** The mandates that another device of the account counts, by CID, as far as that one has told. @throws VaultError */
export async function mandatesElsewhere({
  client,
  clock,
}: VaultContext): Promise<ReadonlyMap<string, Mandate>> {
  const { enclave, storage } = client
  const own = (await readSelf(storage))?.device
  const all = [...(await readKept({ enclave, storage })).values()].filter(({ keeper }) => keeper !== own)
  if (all.length === 0) return new Map()
  const names = await deviceNames(enclave, storage)
  const now = Math.floor(clock.now() / 1_000)
  return new Map(
    all.map((each) => {
      const name = names.get(each.keeper)
      const keeper = { id: each.keeper, ...(name !== undefined && { name }) }
      return [each.terms.cid, { ...toMandate(asTold(each, now)), keeper }]
    }),
  )
}
