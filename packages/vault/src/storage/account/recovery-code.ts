import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { MetadataRecord } from '../schema.ts'
import { openMetadata, sealMetadata } from '../sealed-metadata.ts'
import type { OpenStorage } from './account-storage.ts'

/**
 * The id of the metadata that says whether the person showed that they kept the recovery code. Never the code itself.
 */
export const RECOVERY_CODE_ID = 'recovery-code'

/** `of`: the code's public half. A code that another device or a backup brings has another one. */
const standing = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ kept: v.boolean(), of: v.exactOptional(v.string()) }),
)

const method = v.looseObject({ kind: v.string(), created_at: v.number(), public_key: v.string() })
const methods = v.pipe(v.string(), v.parseJson(), v.looseObject({ methods: v.array(method) }))

/** What a record says of a code. */
export interface CodeStanding {
  readonly confirmed: boolean
  /** The code's public half, as `publicHalfOf` returns it. */
  readonly of: string | undefined
}

/** The public half of the recovery code in a sealed state; undefined if it has no code. */
export function publicHalfOf(sealed: string | undefined): string | undefined {
  return codeIn(sealed)?.public_key
}

/** @param now milliseconds since 1970 */
export async function recoveryCodeRecord(
  enclave: Enclave,
  address: string,
  { confirmed, of }: CodeStanding,
  now: number,
): Promise<MetadataRecord> {
  const text = JSON.stringify({ kept: confirmed, ...(of !== undefined && { of }) })
  return await sealMetadata(enclave, address, RECOVERY_CODE_ID, text, now)
}

/**
 * Whether the person showed that they kept the recovery code of a sealed state; undefined if that isn't recorded, or it
 * has no code.
 */
export async function readRecoveryCodeConfirmed(
  enclave: Enclave,
  storage: OpenStorage,
  sealed: string | undefined,
): Promise<boolean | undefined> {
  const code = codeIn(sealed)
  const record = await storage.readMetadataOf(RECOVERY_CODE_ID)
  const parsed = v.safeParse(standing, await openMetadata(enclave, record))
  if (!code || !record || !parsed.success) return undefined
  const { kept, of } = parsed.output
  // Older records don't name the code. One that was written before the code was made is about the one that it replaced.
  const isAbout = of === undefined ? record.updatedAt >= code.created_at * 1000 : of === code.public_key
  return kept && isAbout
}

function codeIn(sealed: string | undefined): v.InferOutput<typeof method> | undefined {
  const parsed = v.safeParse(methods, sealed)
  return parsed.success ? parsed.output.methods.find(({ kind }) => kind === 'recovery_code') : undefined
}
