import type { VaultContext } from '../session/context.ts'
import type { BackupChecks, BackupHealth, VerifiedBackup, VerifyRequest } from './backup-health.ts'
import type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backups.ts'
import type { LoadBackups } from './load-backups.ts'

/** Makes an account of a backup, and opens it. */
export type RestoreAccount = (address: string, request: ImportRequest) => Promise<ImportResult>

/** Backups of the account that is open: written, brought in, checked. */
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
   * Everything of the account as one sealed file. The account's recovery code, where it has one, opens it too.
   *
   * @throws VaultError VAULT_LOCKED; INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak
   */
  async export(request: ExportRequest): Promise<BackupFile> {
    return (await this.#backups()).export(request)
  }

  /**
   * Brings in a backup: merged into the account that is open where it is the same one (unlocked), else as another
   * account, which is then open and unlocked. Everything is checked before anything is written; a refusal leaves all as
   * it was.
   *
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
    // It was opened just now, and has all that is here.
    if (imported.created) await this.#checks.restored()
    return imported
  }

  /**
   * Opens a backup file of the account that is open, and compares it with what the account holds. Nothing is imported;
   * where the account is unlocked, it is remembered that this was done.
   *
   * @throws VaultError VAULT_NOT_INITIALIZED, INVALID_PASSPHRASE; OPERATION_FAILED: damaged, or another account's
   */
  async verify(request: VerifyRequest): Promise<VerifiedBackup> {
    return await this.#checks.verify(request)
  }

  /** When a backup was last written and verified, and whether keys or tokens have changed since. @throws VaultError VAULT_LOCKED */
  async health(): Promise<BackupHealth> {
    return await this.#checks.read()
  }
}
