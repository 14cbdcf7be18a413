import { refused, refusedToken } from '../base/errors.ts'
import type { CallOptions } from '../enclave/plugin.ts'
import type { VaultContext } from '../session/context.ts'
import { openRevoked } from './lasting-tokens.ts'

/**
 * The CIDs of every delegation that the account revoked, here, on another device, or in a backup that was merged; empty
 * without persistence.
 * @throws VaultError VAULT_LOCKED
 */
export async function revokedCids({ client, isPersistent }: VaultContext): Promise<ReadonlySet<string>> {
  if (!isPersistent) return new Set()
  const { enclave, storage } = client
  return await openRevoked(enclave, await storage.readMetadataUnder('revocation:'))
}

/** A revocation counts, even where nothing has ended the mandate. @throws VaultError OPERATION_FAILED, `MandateEnded` */
export async function requireNotRevoked(context: VaultContext, mandate: string): Promise<void> {
  if ((await revokedCids(context)).has(mandate)) throw refused('MandateEnded')
}

/** Longer than any grant: the enclave checks the times when it signs. */
const ANY_TIME = 0xffff_ffff

/**
 * Refuses a proof if the account revoked it, or anything that it came from. Other faults are left to the enclave, which
 * checks them when it signs.
 * @throws VaultError VAULT_LOCKED; OPERATION_FAILED, `Revoked`
 */
export async function requireProof(
  context: VaultContext,
  token: string,
  leaf: string | undefined,
  options?: CallOptions,
): Promise<void> {
  context.requireUnlocked()
  const all = await revokedCids(context)
  if (all.size === 0) return
  const proof = { token, skew: ANY_TIME, ...(leaf !== undefined && { leaf }) }
  const { client } = context
  const found = await client.verifyToken(proof, options)
  const revoked = found.valid ? found.chain.flatMap(({ cid }) => (all.has(cid) ? [cid] : [])) : []
  if (revoked.length === 0) return
  const judged = await client.verifyToken({ ...proof, revoked }, options)
  if (!judged.valid) throw refusedToken(judged.error)
}
