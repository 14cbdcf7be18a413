import type { VaultConfig } from '../base/config.ts'
import { checkNewPassphrase } from '../unlock/passphrase.ts'

/**
 * What opens a backup file beside the account's recovery code: the passphrase that was chosen, checked. Where none was, only the code
 * opens the file, and the enclave refuses an account that has none.
 *
 * @throws VaultError INVALID_PASSPHRASE: too weak
 */
export async function fileOpening(
  chosen: string | undefined,
  assess: VaultConfig['assessPassphrase'],
): Promise<{ export_passphrase?: string }> {
  return chosen === undefined ? {} : { export_passphrase: await checkNewPassphrase(chosen, assess) }
}
