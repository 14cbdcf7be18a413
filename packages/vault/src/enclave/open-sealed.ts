import type { Enclave } from '@keyhole/enclave'
import { VaultError } from '../base/errors.ts'
import type { EnclaveStatus } from './enclave-status.ts'
import { callPlugin } from './plugin.ts'
import { revisionOf } from './revision.ts'

/** The enclave's status. @throws VaultError OPERATION_FAILED */
export async function readStatus(enclave: Enclave): Promise<EnclaveStatus> {
  const { status } = await callPlugin(enclave, 'vault_status', {}, 'Failed to read the vault status')
  return status
}

/**
 * Loads a sealed state into an enclave. Another tab may have done that already, and unlocked it: then the enclave keeps
 * its state unless this one is newer. It stays unlocked if the new state has the same data key; otherwise it is locked.
 * @returns the status afterwards
 */
export async function openSealed(enclave: Enclave, sealed: string): Promise<EnclaveStatus> {
  const before = await readStatus(enclave)
  if (before.initialized && (revisionOf(sealed) ?? 0) <= (before.revision ?? 0)) return before
  try {
    const failure = 'Failed to open the stored vault'
    return (await callPlugin(enclave, 'open_vault', { enclave: sealed }, failure)).status
  } catch (error) {
    // Two tabs that start together both find it closed. The second one's call fails, but the account is open as it
    // wanted.
    if (error instanceof VaultError && error.details?.code === 'VAULT_ALREADY_INITIALIZED') {
      const status = await readStatus(enclave)
      if ((status.revision ?? 0) >= (revisionOf(sealed) ?? 0)) return status
    }
    throw error
  }
}
