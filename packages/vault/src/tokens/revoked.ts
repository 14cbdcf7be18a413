import { refused } from '../base/errors.ts'
import type { VaultContext } from '../session/context.ts'
import { openLasting } from './lasting-tokens.ts'

/**
 * The CIDs of every delegation that the account revoked, here, on another device, or in a backup that was merged; empty
 * without persistence.
 * @throws VaultError VAULT_LOCKED
 */
export async function revokedCids({ client, isPersistent }: VaultContext): Promise<ReadonlySet<string>> {
  if (!isPersistent) return new Set()
  const { enclave, storage } = client
  const revocations = await openLasting(enclave, await storage.readMetadataUnder('revocation:'), 'revocation')
  return new Set(revocations.flatMap(({ revokes }) => (revokes === undefined ? [] : [revokes])))
}

/** A revocation counts, even where nothing has ended the mandate. @throws VaultError OPERATION_FAILED, `MandateEnded` */
export async function requireNotRevoked(context: VaultContext, mandate: string): Promise<void> {
  if ((await revokedCids(context)).has(mandate)) throw refused('MandateEnded')
}
