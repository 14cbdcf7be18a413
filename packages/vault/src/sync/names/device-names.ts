import type { Enclave } from '@keyhole/enclave'
import { DEVICE_NAME_PREFIX } from '../../activity/device-lines.ts'
import { metadataContext, openTexts, sealTexts } from '../../enclave/sealed-text.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'

export interface DeviceNamesParts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly now: () => number
}

/**
 * Keeps what devices are called, sealed, so that their lines of the log say so: also if they are removed, and in a backup.
 * @param told names by device; empty for one that has none any more
 * @returns whether any is new
 * @throws VaultError
 */
export async function keepDeviceNames(
  { enclave, storage, now }: DeviceNamesParts,
  told: ReadonlyMap<string, string>,
): Promise<boolean> {
  const stored = await storage.readMetadataUnder(DEVICE_NAME_PREFIX)
  const texts = await openTexts(
    enclave,
    stored.map(({ key, sealed }) => ({ context: metadataContext(key), text: sealed })),
  )
  const known = new Map(stored.map(({ key }, index) => [key, texts[index] ?? '']))
  const changed = [...told].flatMap(([device, name]) => {
    const key = DEVICE_NAME_PREFIX + device
    return (known.get(key) ?? '') === name ? [] : [{ key, name }]
  })
  if (changed.length === 0) return false
  const named = changed.filter(({ name }) => name !== '')
  const sealed = await sealTexts(
    enclave,
    named.map(({ key, name }) => ({ context: metadataContext(key), text: name })),
  )
  const metadata = named.flatMap(({ key }, index) => {
    const text = sealed[index]
    const record = { id: key, accountAddress: storage.address, key, updatedAt: now() }
    return text === undefined ? [] : [{ ...record, sealed: text }]
  })
  const gone = changed.filter(({ name }) => name === '').map(({ key }) => key)
  await storage.exchange({}, () => ({ metadata, removed: { metadata: gone } }))
  return true
}
