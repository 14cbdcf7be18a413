import type { BackupFile, ExportRequest, ImportRequest } from '../backup/backups.ts'
import type { LoadBackups } from '../backup/load-backups.ts'
import type { Keys } from '../keys/keys.ts'
import type { VaultContext } from '../session/context.ts'
import type { AccountInfo } from '../session/snapshot.ts'
import { readStorageHealth, type StorageHealth } from '../storage/account/storage-health.ts'
import type { ResetAccount } from './account-reset.ts'
import type { Accounts } from './accounts.ts'
import type { CopyFile } from './copy-file.ts'
import type { Recovery, RestoredAccount, RestoreLostOptions } from './recovery.ts'

/** The accounts of this browser: listed, opened, named, removed, and brought back where one was lost. */
export class AccountsPart {
  readonly #context: VaultContext
  readonly #life: Accounts
  readonly #backups: LoadBackups
  readonly #keys: Keys

  constructor(context: VaultContext, life: Accounts, backups: LoadBackups, keys: Keys) {
    this.#context = context
    this.#life = life
    this.#backups = backups
    this.#keys = keys
  }

  /** The accounts that this browser holds. */
  async list(): Promise<AccountInfo[]> {
    return await this.#context.listAccounts()
  }

  /** Opens another account of this browser, locked; the one that is left is saved and locked. @throws VaultError */
  async open(address: string): Promise<void> {
    await this.#life.alone(() => this.#life.open(address))
  }

  /** Names the account. @throws VaultError VAULT_LOCKED */
  async label(label: string): Promise<void> {
    await this.#keys.labelAccount(label)
  }

  /** Deletes an account from this browser, for good. Where it is open, the vault is not initialised afterwards. */
  async remove(address: string): Promise<void> {
    const { client } = this.#context
    await this.#life.alone(async () => {
      if (!client.isCopy || client.accountAddress !== address) return await this.#life.remove(address)
      await this.#context.lead(() => client.releaseAccount())
      await (await this.#recovery()).forget(address)
      await this.#life.removed(address, true)
    })
  }

  /**
   * Opens an account that is in this browser and locked by its own backup, and what opens that: it is unlocked afterwards,
   * by the new passphrase alone. Tokens that only this browser has stay. What was sealed under keys that are not in the
   * file (`lostKeys`, and names given since a passphrase was changed) does not open any more; the sealed state of before
   * is kept beside the new one.
   *
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED where the account is open, or not here. Nothing was changed then
   */
  async reset(request: ImportRequest): Promise<ResetAccount> {
    const context = this.#context
    return await this.#life.alone(async () => {
      const address = await (await this.#backups()).addressOf(request.text)
      const reset = await this.#life.reset(address, request)
      context.announce('vault:imported', { address, tokens: reset.tokens, keys: reset.keys })
      context.tokensChanged()
      await context.accountsChanged()
      return reset
    })
  }

  /** How safely this browser keeps the account that is open: its promise, its room, and the second copy. */
  async storageHealth(): Promise<StorageHealth> {
    return await readStorageHealth(this.#context.client.openStorage)
  }

  /** Writes the second copy of the account that is open anew, all of it. @returns how it stands afterwards */
  async renewCopy(): Promise<StorageHealth> {
    const { openStorage } = this.#context.client
    await openStorage?.renewMirror()
    return await readStorageHealth(openStorage)
  }

  /**
   * Brings an account of `snapshot.lost` back from its second copy, locked, and opens it where none is open. Ended in
   * the middle it is as lost as before, and can be begun again.
   *
   * @throws VaultError OPERATION_FAILED: the copy does not hold its keys, or is not sound. Nothing was written then
   */
  async restoreLost(address: string, options: RestoreLostOptions = {}): Promise<RestoredAccount> {
    return await this.#bringBack(async () => {
      const restored = await (await this.#recovery()).restore(address, options)
      return { address, restored }
    })
  }

  /**
   * Writes a backup of an account of `snapshot.lost` from its second copy alone, also where IndexedDB does not open any
   * more. Nothing is changed here.
   *
   * @throws VaultError INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak; OPERATION_FAILED where
   * the copy does not hold the account's keys
   */
  async backupLost(address: string, request: ExportRequest): Promise<BackupFile> {
    const { backupFromCopy } = await import('./copy-backup.ts')
    return await backupFromCopy(this.#context, address, request)
  }

  /** Gives a lost account up, for good: its second copy goes, and what is left of it. @throws VaultError OPERATION_FAILED where it is not lost */
  async forgetLost(address: string): Promise<void> {
    await this.#life.alone(async () => {
      await (await this.#recovery()).forget(address)
      this.#context.forget(address)
      await this.#context.accountsChanged()
    })
  }

  /**
   * Opens an account of `snapshot.lost` from its second copy, in memory and locked, also where IndexedDB does not open any
   * more: `snapshot.fromCopy`. Everything can be read and backed up; what would change the account is refused by the name
   * `OpenFromCopy`.
   *
   * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys, or the account is not lost
   */
  async openCopy(address: string): Promise<void> {
    await this.#life.alone(() => this.#life.openCopy(address))
  }

  /**
   * An account's second copy as a file, sealed as it is: needs no secret, and IndexedDB is not read. `restoreCopy` takes it.
   *
   * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys
   */
  async saveCopy(address: string): Promise<CopyFile> {
    const { writeCopyFile } = await import('./copy-file.ts')
    return await writeCopyFile(address, this.#context.clock.now())
  }

  /**
   * Brings an account back from the file of a second copy, locked, and opens it where none is open. What opened the
   * vault when the copy was written opens it. Tokens whose signature does not hold are left out and counted as unreadable.
   *
   * @throws VaultError OPERATION_FAILED: the file is damaged, or this browser has the account. Nothing was written then
   */
  async restoreCopy(
    file: Blob,
    options: RestoreLostOptions = {},
  ): Promise<RestoredAccount & { address: string }> {
    return await this.#bringBack(async () => {
      const { restoreCopyFile } = await import('./copy-file.ts')
      const restored = await restoreCopyFile(file, () => this.#context.client.startEnclave(), options)
      return { address: restored.address, restored }
    })
  }

  /** Opens the account that came back, where none is open, and tells of it. */
  async #bringBack<T>(work: () => Promise<{ address: string; restored: T }>): Promise<T> {
    return await this.#life.alone(async () => {
      const { address, restored } = await work()
      if (this.#context.snapshot.phase === 'empty') await this.#life.open(address)
      await this.#context.accountsChanged()
      return restored
    })
  }

  /** Fetched when an account is lost: few ever are. */
  async #recovery(): Promise<Recovery> {
    const { Recovery } = await import('./recovery.ts')
    return new Recovery(this.#context.client)
  }
}
