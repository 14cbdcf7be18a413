import type { Enclave } from '@keyhole/enclave'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'

/**
 * Sealed metadata with this prefix and a key's id marks the key as deleted here, so that an older backup doesn't
 * restore it unasked.
 */
const PREFIX = 'deleted-key:'

/** The id of the metadata that marks a key as deleted. */
export function deletedKeyId(keyId: string): string {
  return PREFIX + keyId
}

/** Marks a key as deleted. @param now milliseconds since 1970 */
export async function deletedKeyRecord(
  enclave: Enclave,
  address: string,
  keyId: string,
  now: number,
): Promise<MetadataRecord> {
  return await sealMetadata(enclave, address, deletedKeyId(keyId), String(now), now)
}

/** The ids of keys deleted here. A mark that doesn't open wasn't written by this account and is ignored. */
export async function readDeletedKeys(enclave: Enclave, storage: OpenStorage | undefined): Promise<string[]> {
  const records = (await storage?.readMetadataUnder(PREFIX)) ?? []
  const deleted: string[] = []
  for (const record of records) {
    if ((await openMetadata(enclave, record)) !== undefined) deleted.push(record.key.slice(PREFIX.length))
  }
  return deleted
}
