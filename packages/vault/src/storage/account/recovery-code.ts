import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { MetadataRecord } from '../schema.ts'
import { openMetadata, sealMetadata } from '../sealed-metadata.ts'
import type { OpenStorage } from './account-storage.ts'

/**
 * The id of the metadata that says whether the person showed that they kept the recovery code. Never the code itself.
 */
export const RECOVERY_CODE_ID = 'recovery-code'

const standing = v.pipe(v.string(), v.parseJson(), v.object({ kept: v.boolean() }))

/** @param now milliseconds since 1970 */
export async function recoveryCodeRecord(
  enclave: Enclave,
  address: string,
  confirmed: boolean,
  now: number,
): Promise<MetadataRecord> {
  return await sealMetadata(enclave, address, RECOVERY_CODE_ID, JSON.stringify({ kept: confirmed }), now)
}

/** Whether the person showed that they kept the recovery code; undefined if that isn't recorded. */
export async function readRecoveryCodeConfirmed(
  enclave: Enclave,
  storage: OpenStorage,
): Promise<boolean | undefined> {
  const text = await openMetadata(enclave, await storage.readMetadataOf(RECOVERY_CODE_ID))
  const parsed = v.safeParse(standing, text)
  return parsed.success ? parsed.output.kept : undefined
}
