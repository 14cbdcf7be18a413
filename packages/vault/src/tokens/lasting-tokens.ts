import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { metadataContext, openTexts, sealTexts } from '../enclave/sealed-text.ts'
import type { MetadataRecord, TokenRecord } from '../storage/schema.ts'

/** Types of tokens that only removing the account deletes. */
const LASTING = ['revocation', 'receipt'] as const
export type LastingType = (typeof LASTING)[number]

const lastingToken = v.object({
  type: v.picklist(LASTING),
  cid: v.string(),
  token: v.string(),
  createdAt: v.number(),
  revokes: v.exactOptional(v.string()),
  task: v.exactOptional(v.string()),
})
/**
 * A revocation or receipt as stored in the account's metadata, sealed: it outlives its expiry, and its removal from the
 * stored tokens. `revokes`: the CID of the revoked delegation; `task`: what a receipt is about. `createdAt` is in
 * milliseconds since 1970.
 */
export type LastingToken = v.InferOutput<typeof lastingToken>

const keyOf = (type: string, cid: string) => `${type}:${cid}`

/**
 * The metadata that outlives a stored token; undefined for other types.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function sealLasting(
  enclave: Enclave,
  accountAddress: string,
  { type, cid, token, createdAt, revokes, task }: TokenRecord,
): Promise<MetadataRecord | undefined> {
  if ((type !== 'revocation' && type !== 'receipt') || cid === undefined) return undefined
  const key = keyOf(type, cid)
  const value: LastingToken = {
    ...{ type, cid, token, createdAt },
    ...(revokes !== undefined && { revokes }),
    ...(task !== undefined && { task }),
  }
  const [sealed] = await sealTexts(enclave, [{ context: metadataContext(key), text: JSON.stringify(value) }])
  return sealed === undefined ? undefined : { id: key, accountAddress, key, updatedAt: createdAt, sealed }
}

/**
 * The tokens of one type in the metadata, newest first. Leaves out what doesn't open or parse.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function openLasting(
  enclave: Enclave,
  records: readonly MetadataRecord[],
  type: LastingType,
): Promise<LastingToken[]> {
  const sealed = records
    .filter(({ key }) => key.startsWith(keyOf(type, '')))
    .map((record) => ({ context: metadataContext(record.key), text: record.sealed }))
  const tokens: LastingToken[] = []
  for (const text of await openTexts(enclave, sealed)) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), lastingToken), text)
    if (parsed.success) tokens.push(parsed.output)
  }
  return tokens.sort((one, other) => other.createdAt - one.createdAt)
}

/**
 * The CIDs of the delegations that the revocations in the metadata revoke.
 * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`
 */
export async function openRevoked(
  enclave: Enclave,
  records: readonly MetadataRecord[],
): Promise<ReadonlySet<string>> {
  const revocations = await openLasting(enclave, records, 'revocation')
  return new Set(revocations.flatMap(({ revokes }) => revokes ?? []))
}
