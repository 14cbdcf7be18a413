import type { VaultContext } from '../session/context.ts'
import type { BackupChecks, BackupHealth, VerifiedBackup, VerifyRequest } from './backup-health.ts'
import type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backups.ts'
import type { LoadBackups } from './load-backups.ts'

/** Creates an account from a backup and opens it. */
export type RestoreAccount = (address: string, request: ImportRequest) => Promise<ImportResult>

/** Writes, imports and checks backups of the open account. */
export class BackupsPart {
  readonly #context: VaultContext
  readonly #backups: LoadBackups
  readonly #checks: BackupChecks
  readonly #restore: RestoreAccount

  constructor(context: VaultContext, backups: LoadBackups, checks: BackupChecks, restore: RestoreAccount) {
    this.#context = context
    this.#backups = backups
    this.#checks = checks
    this.#restore = restore
  }

  /**
   * Exports the whole account as one sealed file. The account's recovery code, if it has one, opens it too.
   * @throws VaultError VAULT_LOCKED; INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak
   */
  async export(request: ExportRequest): Promise<BackupFile> {
    return (await this.#backups()).export(request)
  }

  /**
   * Imports a backup. If it's of the open account (unlocked), it is merged; otherwise it becomes another account, open
   * and unlocked. Everything is checked before anything is written, so a refusal changes nothing.
   * @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED
   */
  async import(request: ImportRequest): Promise<ImportResult> {
    const context = this.#context
    const backups = await this.#backups()
    const address = await backups.addressOf(request.text)
    const same = address === context.snapshot.address
    const imported = same ? await backups.merge(request) : await this.#restore(address, request)
    context.announce('vault:imported', { address, tokens: imported.tokens, keys: imported.keys })
    if (imported.tokens > 0) context.tokensChanged()
    // The file was just opened, and contains everything in the account.
    if (imported.created) await this.#checks.restored(request)
    return imported
  }

  /**
   * Opens a backup file of the open account and compares it with the account. Imports nothing. If the account is
   * unlocked, it remembers the check.
   * @throws VaultError VAULT_NOT_INITIALIZED, INVALID_PASSPHRASE; OPERATION_FAILED: damaged, or another account's
   */
  async verify(request: VerifyRequest): Promise<VerifiedBackup> {
    return await this.#checks.verify(request)
  }

  /**
   * When a backup was last written and verified, and whether anything has changed since. @throws VaultError
   * VAULT_LOCKED
   */
  async health(): Promise<BackupHealth> {
    return await this.#checks.read()
  }
}
