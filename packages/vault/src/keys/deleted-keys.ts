import type { Enclave } from '@keyhole/enclave'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'

/** A key that was deleted here has sealed metadata under this and its id: no older backup brings it back unasked. */
const PREFIX = 'deleted-key:'

/** The id of the metadata that says that a key was deleted. */
export function deletedKeyId(keyId: string): string {
  return PREFIX + keyId
}

/** Says that a key was deleted. @param now milliseconds since 1970 */
export async function deletedKeyRecord(
  enclave: Enclave,
  address: string,
  keyId: string,
  now: number,
): Promise<MetadataRecord> {
  return await sealMetadata(enclave, address, deletedKeyId(keyId), String(now), now)
}

/** The ids of the keys that were deleted here. What does not open was not written by this account, and says nothing. */
export async function readDeletedKeys(enclave: Enclave, storage: OpenStorage | undefined): Promise<string[]> {
  const records = (await storage?.readMetadataUnder(PREFIX)) ?? []
  const deleted: string[] = []
  for (const record of records) {
    if ((await openMetadata(enclave, record)) !== undefined) deleted.push(record.key.slice(PREFIX.length))
  }
  return deleted
}
