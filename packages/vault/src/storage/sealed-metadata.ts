import type { Enclave } from '@keyhole/enclave'
import { refused } from '../base/errors.ts'
import { metadataContext, openTexts, sealTexts } from '../enclave/sealed-text.ts'
import type { MetadataRecord } from './schema.ts'

/**
 * The record for one personal text under a key.
 * @param updatedAt milliseconds since 1970
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function sealMetadata(
  enclave: Enclave,
  accountAddress: string,
  key: string,
  text: string,
  updatedAt: number,
): Promise<MetadataRecord> {
  const [sealed] = await sealTexts(enclave, [{ context: metadataContext(key), text }])
  if (sealed === undefined) throw refused('CallFailed', { failure: 'Failed to seal a setting' })
  return { id: key, accountAddress, key, updatedAt, sealed }
}

/**
 * When a record is written in place of another one, in milliseconds since 1970: now, or later than that one. A merge
 * keeps the later of two, and the clock may have been fast before.
 */
export function laterThan(stored: MetadataRecord | undefined, now: number): number {
  return Math.max(now, (stored?.updatedAt ?? Number.NEGATIVE_INFINITY) + 1)
}

/**
 * The text of a record; undefined if there is none, or it doesn't open.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function openMetadata(
  enclave: Enclave,
  record: MetadataRecord | undefined,
): Promise<string | undefined> {
  if (record === undefined) return undefined
  const [text] = await openTexts(enclave, [{ context: metadataContext(record.key), text: record.sealed }])
  return text
}
