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

/** The accounts of this browser: list, open, name, remove and restore them. */
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

  /** The accounts in this browser. */
  async list(): Promise<AccountInfo[]> {
    return await this.#context.listAccounts()
  }

  /** Opens another account of this browser, locked. Saves and locks the current one. @throws VaultError */
  async open(address: string): Promise<void> {
    await this.#life.alone(() => this.#life.open(address))
  }

  /** Names the account. @throws VaultError VAULT_LOCKED */
  async label(label: string): Promise<void> {
    await this.#keys.labelAccount(label)
  }

  /** Deletes an account from this browser, permanently. If it was open, the vault is uninitialized afterwards. */
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
   * Resets a locked account with its own backup and what unlocks that. Afterwards it's unlocked, and only the new
   * passphrase opens it. Tokens that only this browser has are kept. Data sealed under keys that aren't in the file
   * (`lostKeys`, and names given since the passphrase was last changed) can't be opened any more; the previous sealed
   * state is kept beside the new one until an unlock method is replaced or removed.
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED if the account is open, or not here. Nothing was changed
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

  /** How safely this browser keeps the open account: its persistence, free space, and the second copy. */
  async storageHealth(): Promise<StorageHealth> {
    return await readStorageHealth(this.#context.client.openStorage)
  }

  /** Rewrites the second copy of the open account completely. @returns its health afterwards */
  async renewCopy(): Promise<StorageHealth> {
    const { openStorage } = this.#context.client
    await openStorage?.renewMirror()
    return await readStorageHealth(openStorage)
  }

  /**
   * Restores an account of `snapshot.lost` from its second copy, locked, and opens it if none is open. If interrupted,
   * the account is still lost and you can try again.
   * @throws VaultError OPERATION_FAILED: the copy doesn't hold its keys, or isn't valid. Nothing was written
   */
  async restoreLost(address: string, options: RestoreLostOptions = {}): Promise<RestoredAccount> {
    return await this.#bringBack(async () => {
      const restored = await (await this.#recovery()).restore(address, options)
      return { address, restored }
    })
  }

  /**
   * Writes a backup of an account of `snapshot.lost` from its second copy alone, even if IndexedDB doesn't open any
   * more. Changes nothing here.
   * @throws VaultError INVALID_PASSPHRASE: the proof is wrong, or the file's passphrase is too weak; OPERATION_FAILED
   *   if the copy doesn't hold the account's keys
   */
  async backupLost(address: string, request: ExportRequest): Promise<BackupFile> {
    const { backupFromCopy } = await import('./copy-backup.ts')
    return await backupFromCopy(this.#context, address, request)
  }

  /**
   * Deletes a lost account permanently, with its second copy and anything left of it. @throws VaultError
   * OPERATION_FAILED if it isn't lost
   */
  async forgetLost(address: string): Promise<void> {
    await this.#life.alone(async () => {
      await (await this.#recovery()).forget(address)
      this.#context.forget(address)
      await this.#context.accountsChanged()
    })
  }

  /**
   * Opens an account of `snapshot.lost` from its second copy, in memory and locked, even if IndexedDB doesn't open any
   * more: `snapshot.fromCopy`. It can be read and backed up. Changes are refused with `OpenFromCopy`.
   * @throws VaultError OPERATION_FAILED if the copy doesn't hold the account's keys, or the account isn't lost
   */
  async openCopy(address: string): Promise<void> {
    await this.#life.alone(() => this.#life.openCopy(address))
  }

  /**
   * Saves an account's second copy as a file, still sealed. Needs no secret and doesn't read IndexedDB. `restoreCopy`
   * reads it.
   * @throws VaultError OPERATION_FAILED if the copy doesn't hold the account's keys
   */
  async saveCopy(address: string): Promise<CopyFile> {
    const { writeCopyFile } = await import('./copy-file.ts')
    return await writeCopyFile(address, this.#context.clock.now())
  }

  /**
   * Restores an account from the file of a second copy, locked, and opens it if none is open. The unlock methods are
   * those from when the copy was written. Tokens with an invalid signature are left out and counted as unreadable.
   * @throws VaultError OPERATION_FAILED: the file is damaged, or this browser has the account. Nothing was written
   */
  async restoreCopy(
    file: Blob,
    options: RestoreLostOptions = {},
  ): Promise<RestoredAccount & { address: string }> {
    return await this.#bringBack(async () => {
      const { restoreCopyFile } = await import('./copy-file.ts')
      const { client, clock } = this.#context
      const restored = await restoreCopyFile(file, () => client.startEnclave(), clock, options)
      return { address: restored.address, restored }
    })
  }

  /** Opens the restored account if none is open, and announces it. */
  async #bringBack<T>(work: () => Promise<{ address: string; restored: T }>): Promise<T> {
    return await this.#life.alone(async () => {
      const { address, restored } = await work()
      if (this.#context.snapshot.phase === 'empty') await this.#life.open(address)
      await this.#context.accountsChanged()
      return restored
    })
  }

  /** Loaded only when an account is lost, which is rare. */
  async #recovery(): Promise<Recovery> {
    const { Recovery } = await import('./recovery.ts')
    return new Recovery(this.#context.client, this.#context.clock)
  }
}
