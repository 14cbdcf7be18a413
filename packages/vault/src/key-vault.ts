import type { CloseOptions } from '@keyhole/enclave'
import { Accounts, type CreatedAccount, type CreateRequest } from './accounts/accounts.ts'
import type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backup/backups.ts'
import { loadBackups } from './backup/load-backups.ts'
import { type Bytes, bytesOrRefusal } from './base/bytes.ts'
import type { VaultConfig, VaultDependencies } from './base/config.ts'
import { refused, toKeyVaultError, VaultError } from './base/errors.ts'
import { passOn, VaultEvents } from './base/events.ts'
import type { AccountAct } from './client/client-listener.ts'
import type { VaultClient } from './client/public-client.ts'
import type { KeyInfo, KeyType } from './enclave/enclave-status.ts'
import { makePublicParts, type PublicParts } from './public-parts.ts'
import type { VaultContext } from './session/context.ts'
import type { VaultSnapshot } from './session/snapshot.ts'
import { hearCache } from './session/tabs/page-cache.ts'
import { behindVaults, makeParts, type VaultParts } from './session/vault-parts.ts'
import { asUnlockProof, overwriting, type UnlockProof } from './unlock/unlock-proof.ts'

/**
 * The key vault: accounts with their keys, locked and unlocked, and what they sign. It is an `EventTarget` of
 * `VaultEventMap`, and a store for `useSyncExternalStore` through `subscribe` and `getSnapshot`. Its parts do the work:
 * `vault.tokens.grant()`, `vault.accounts.open()`.
 * Every operation of the vault and its parts rejects with a `VaultError` with one of the nine codes and raises
 * `vault:error`. A refusal changes nothing. If the caller aborts, it rejects with the caller's reason.
 */
export class KeyVault extends VaultEvents {
  /** Tokens: granted, narrowed, received, used, revoked; and any token, checked. */
  declare readonly tokens: PublicParts['tokens']
  /** Mandates with a budget. */
  declare readonly mandates: PublicParts['mandates']
  /** Payments: authorised, listed, and their receipts. */
  declare readonly payments: PublicParts['payments']
  /** The people, apps, agents, devices and services that the owner has named. */
  declare readonly contacts: PublicParts['contacts']
  /** The owner's own templates for grants. */
  declare readonly templates: PublicParts['templates']
  /** The grants whose links were handed over, and which of them were opened. */
  declare readonly handovers: PublicParts['handovers']
  /** Connected apps. */
  declare readonly sessions: PublicParts['sessions']
  /** The tabs that have the account open. */
  declare readonly tabs: PublicParts['tabs']
  /** The account's keys. */
  declare readonly keys: PublicParts['keys']
  /** How the account is unlocked. */
  declare readonly unlockMethods: PublicParts['unlockMethods']
  /** The accounts of this browser. */
  declare readonly accounts: PublicParts['accounts']
  /** Backups of the account: written, imported, checked. */
  declare readonly backups: PublicParts['backups']
  /** The log of what was done with the account. */
  declare readonly activity: PublicParts['activity']
  /** The account's settings, and those of this object. */
  declare readonly settings: PublicParts['settings']
  readonly #parts: VaultParts
  readonly #context: VaultContext
  readonly #life: Accounts
  /** A new object for each initialisation, so that one already cleaned up can't undo the next. */
  #initialised: object | undefined
  #leaveCache: (() => void) | undefined
  /** What was open, while the page is in the browser's back/forward cache. */
  #resting: { readonly address: string | undefined } | undefined

  constructor(config: VaultConfig = {}, dependencies: VaultDependencies = {}) {
    super()
    const parts = makeParts(config, dependencies, this, {
      followClient: (act) => this.#life.alone(() => this.#followClient(act)),
      takeUp: () => this.#life.alone(() => this.#life.takeUp()),
    })
    this.#parts = parts
    this.#context = parts.context
    const backups = loadBackups(parts.context, parts.changes)
    this.#life = new Accounts(parts, backups)
    behindVaults.set(this, { parts, life: this.#life })
    Object.assign(this, makePublicParts(parts, this.#life, backups))
    passOn(this, parts.context.client)
  }

  /** The layer below: the plugin and the open account's storage. */
  get client(): VaultClient {
    return this.#context.client
  }

  get config(): VaultConfig {
    return this.#context.config
  }

  /** True from `initialize` until `cleanup`, even while they are still running. */
  get isInitialized(): boolean {
    return this.#initialised !== undefined
  }

  /** The current state of the vault: the same object until something changes. */
  readonly getSnapshot = (): VaultSnapshot => this.#context.snapshot

  /** Calls `listener` after each change of the snapshot. @returns the unsubscribe */
  readonly subscribe = (listener: () => void): (() => void) => this.#context.subscribe(listener)

  /**
   * Loads the plugin and opens the last open account, locked (or as another tab left it). After a failure it can be
   * called again.
   * @throws VaultError VAULT_ALREADY_INITIALIZED, WASM_NOT_LOADED, TIMEOUT, OPERATION_FAILED
   */
  initialize(): Promise<void> {
    const context = this.#context
    return context.guard(
      'initialize',
      async () => {
        if (this.#initialised) {
          throw refused('AlreadyStarted')
        }
        const mine = {}
        this.#initialised = mine
        this.#hearCache()
        context.loading()
        await this.#life.alone(async () => {
          context.loading()
          try {
            await this.#life.start()
          } catch (error) {
            if (this.#initialised === mine) {
              this.#initialised = undefined
              context.fail(toKeyVaultError(error))
            }
            throw error
          }
        })
      },
      context.config.signal,
    )
  }

  #hearCache(): void {
    this.#leaveCache ??= hearCache(this.#parts.page, {
      rest: () => this.#rest(),
      wake: () => void this.#wake(),
    })
  }

  /** Follows the client after a direct call started it, switched its account or closed it. */
  async #followClient(act: AccountAct): Promise<void> {
    if (act.type === 'closed') {
      this.#initialised = undefined
      this.#parts.following.detach()
      this.#context.detach()
      return
    }
    if (!this.client.isInitialized) return
    this.#initialised ??= {}
    this.#hearCache()
    if (act.type === 'opened') await this.#life.arrive(act.left)
    else await this.#life.removed(act.address, act.active)
  }

  /**
   * Creates an account, and leaves it unlocked. The previous account is saved and locked.
   * @throws VaultError VAULT_NOT_INITIALIZED before `initialize`; INVALID_PASSPHRASE, INVALID_KEY_TYPE;
   *   OPERATION_FAILED if it has too few unlock methods, or couldn't be stored: nothing was created
   */
  create(request: CreateRequest): Promise<CreatedAccount> {
    return overwriting([request], () => this.#context.guard('create', () => this.#life.create(request)))
  }

  /**
   * Unlocks the open account, for every tab that shares its enclave.
   * @param proof the passphrase, or any of the three
   * @throws VaultError INVALID_PASSPHRASE; OPERATION_FAILED if the sealed state is damaged, a recovery code has a typo,
   *   or it is too soon after wrong attempts (`details.retryAt`)
   */
  async unlock(proof: string | UnlockProof): Promise<void> {
    const given = asUnlockProof(proof)
    await overwriting([given], () => this.#context.guard('unlock', () => this.#parts.locking.unlock(given)))
  }

  /** Locks the account in every tab, which erases the keys from memory. Does nothing if it is already locked. */
  lock(): Promise<void> {
    return this.#context.guard('lock', () => this.#parts.locking.lock('by hand'))
  }

  /**
   * Call this when a person uses the page (pointer, key, wheel). Postpones the automatic lock in every tab, even after
   * `locksAt` appeared. Cheap.
   */
  touch(): void {
    this.#context.autoLock.touch()
  }

  /** Creates another key: `keys.generate`. @throws VaultError VAULT_LOCKED, INVALID_KEY_TYPE, OPERATION_FAILED */
  generateKey(request: { keyType?: KeyType; label?: string } = {}): Promise<KeyInfo> {
    return this.keys.generate(request)
  }

  /**
   * Deletes a key permanently: `keys.delete`. @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED for the
   * first one
   */
  deleteKey(keyId: string): Promise<void> {
    return this.keys.delete(keyId)
  }

  /** Replaces the passphrase: `unlockMethods.changePassphrase`. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE */
  changePassphrase(current: string, next: string): Promise<void> {
    return this.unlockMethods.changePassphrase(current, next)
  }

  /**
   * Exports the whole account as one sealed file: `backups.export`. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE
   */
  exportVault(request: ExportRequest): Promise<BackupFile> {
    return this.backups.export(request)
  }

  /** Imports a backup: `backups.import`. @throws VaultError VAULT_LOCKED, INVALID_PASSPHRASE, OPERATION_FAILED */
  importVault(request: ImportRequest): Promise<ImportResult> {
    return this.backups.import(request)
  }

  /**
   * Signs bytes, as they are when this is called, with a prefix that no token has.
   * @returns 64 bytes
   * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND; OPERATION_FAILED, `NotBytes` for anything but bytes
   */
  sign(data: Bytes, keyId?: string): Promise<Uint8Array> {
    const bytes = bytesOrRefusal(data, 'data')
    return this.#context.guard('sign', async () => {
      if (bytes instanceof VaultError) throw bytes
      const request = { data: bytes, ...(keyId !== undefined && { key_id: keyId }) }
      const { signature } = await this.client.signData(request)
      const key = keyId ?? this.#context.snapshot.defaultKey
      await this.#parts.changes.mention('sign', { bytes: bytes.length, ...(key !== undefined && { key }) })
      return Uint8Array.from(signature)
    })
  }

  /**
   * Whether `sign` made this signature with the key of `did` (default: the account's default key).
   * @throws VaultError OPERATION_FAILED, `NotBytes` if either isn't bytes
   */
  verify(data: Bytes, signature: Bytes, did?: string): Promise<boolean> {
    const [bytes, signed] = [bytesOrRefusal(data, 'data'), bytesOrRefusal(signature, 'signature')]
    return this.#context.guard('verify', async () => {
      if (bytes instanceof VaultError) throw bytes
      if (signed instanceof VaultError) throw signed
      const request = { data: bytes, signature: signed, ...(did !== undefined && { did }) }
      const { valid } = await this.client.verifyData(request)
      return valid
    })
  }

  /** Closes the plugin, the storage and the channels; the vault is uninitialized again. Listeners stay. */
  async cleanup(): Promise<void> {
    this.#leaveCache?.()
    this.#leaveCache = undefined
    this.#resting = undefined
    await this.#close()
  }

  async #close(options?: CloseOptions): Promise<void> {
    this.#initialised = undefined
    const closed = this.#context.lead(() => this.client.cleanup(options))
    await this.#life.alone(async () => {
      await closed
      this.#parts.following.detach()
      this.#context.detach()
    })
  }

  /**
   * The page goes into the cache: leave the enclave at once. The last tab to leave erases the keys; a dedicated Worker
   * ends with them.
   */
  #rest(): void {
    if (!this.#initialised) return
    this.#parts.openTabs.leave()
    if (this.#context.isPersistent) {
      this.#resting = { address: this.#context.snapshot.address }
      void this.#close({ wait: false })
    } else {
      // This is the only copy of the account, so just lock it.
      void this.lock().catch(() => undefined)
    }
  }

  /** The page is back: reopens its account, locked or as the other tabs have it. */
  async #wake(): Promise<void> {
    const resting = this.#resting
    this.#resting = undefined
    if (!resting || this.#initialised) return
    try {
      await this.initialize()
      const { address } = resting
      if (address !== undefined && this.#context.snapshot.address !== address)
        await this.accounts.open(address)
    } catch {
      // The error is in the snapshot, and was raised as `vault:error`.
    }
  }
}
