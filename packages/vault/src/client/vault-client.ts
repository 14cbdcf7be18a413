import type { CloseOptions, Enclave } from '@keyhole/enclave'
import { DEFAULT_CLEANUP_INTERVAL, type VaultConfig, type VaultDependencies } from '../base/config.ts'
import { refused } from '../base/errors.ts'
import { needsDevices, rememberDevices } from '../enclave/needs-devices.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { Screen } from '../enclave/screen.ts'
import { ScreenedEnclave } from '../enclave/screened-enclave.ts'
import { startEnclave, startVerifier } from '../enclave/start-enclave.ts'
import { isOnDevices, listDatabases } from '../storage/account/account-databases.ts'
import { removeStateless } from '../storage/account/account-list.ts'
import { AccountStorage, type OpenStorage } from '../storage/account/account-storage.ts'
import { removeForGood } from '../storage/account/removal.ts'
import { noteAccount } from '../storage/canary.ts'
import * as persistence from '../storage/persistence.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { AccountRecords } from './account-records.ts'
import type { AccountAct, ClientListener } from './client-listener.ts'
import { type NewAccount, type OpenedAccount, openAccount, openGiven, storeNew } from './open-account.ts'

/**
 * The plugin and the storage of one account, without the meaning of keys and locks, which `KeyVault` adds. Its codes
 * are WASM_NOT_LOADED, NOT_INITIALIZED and OPERATION_FAILED. A refusal by the plugin is OPERATION_FAILED with the
 * plugin's text, and its code in `details`.
 */
export class VaultClient extends AccountRecords {
  readonly #dependencies: VaultDependencies
  /** Reads texts from strangers before any enclave with keys sees them. */
  readonly #screen: Screen
  #didWebHosts: readonly string[]
  #wasmPath: string | undefined
  #closing = new AbortController()
  #lifecycle: Promise<unknown> = Promise.resolve()

  constructor(config: VaultConfig = {}, dependencies: VaultDependencies = {}, listener: ClientListener = {}) {
    super(config, dependencies, listener)
    this.#dependencies = dependencies
    this.#didWebHosts = config.didWebHosts ?? []
    this.#screen = new Screen(() =>
      startVerifier({ ...config, didWebHosts: this.#didWebHosts }, dependencies, this.#wasmPath),
    )
  }

  /** The hosts Keyhole may ask for the keys of a `did:web`. */
  get didWebHosts(): readonly string[] {
    return this.#didWebHosts
  }

  /** Changes those hosts. Checks in progress are cancelled and can be repeated. */
  async allowDidWebHosts(hosts: readonly string[]): Promise<void> {
    this.#didWebHosts = [...hosts]
    await this.#screen.close()
  }

  /**
   * Loads the plugin, asks for persistent storage, and opens the given account, if any, locked. Later calls only open
   * the account.
   * @param wasmPath URL of the plugin; default: the configured one
   * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'; OPERATION_FAILED if the account can't be opened
   */
  async initialize(wasmPath?: string, accountAddress?: string): Promise<void> {
    if (accountAddress?.trim() === '') throw refused('AddressRequired')
    const closing = this.#closing
    const act = await this.#alone(async (): Promise<AccountAct | undefined> => {
      closing.signal.throwIfAborted()
      if (this.plugin) return accountAddress === undefined ? undefined : await this.#switch(accountAddress)
      this.#wasmPath = wasmPath
      const enclave = await this.startEnclave(accountAddress)
      try {
        // A person may have to answer the prompt, so don't wait.
        if (this.isPersistent) void this.requestPersistentStorage()
        await this.#openFirst(accountAddress, enclave)
        closing.signal.throwIfAborted()
      } catch (error) {
        this.forget()
        await enclave.close()
        throw error
      }
      this.plugin = enclave
      if (this.isPersistent && this.config.autoCleanup !== false)
        this.expiry.start(this.config.cleanupInterval ?? DEFAULT_CLEANUP_INTERVAL)
      return { type: 'opened' }
    })
    if (act) await this.acted(act)
  }

  /**
   * Starts another plugin from the same source, for another account. The caller closes it, or passes it to `adopt`.
   * @param devices the one with devices. Default: what the account needs
   * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'
   */
  async startEnclave(account?: string, devices = needsDevices(account)): Promise<Enclave> {
    const { signal } = this.#closing
    const start = async (devices: boolean) => {
      const request = { signal, wasmPath: this.#wasmPath, account, devices }
      return await startEnclave(this.config, this.#dependencies, request)
    }
    // Local storage may have lost it: a browser writes that down some time after everything else.
    const isForgotten = account !== undefined && !devices && this.isPersistent && isOnDevices(account)
    let enclave = await start(devices)
    if (account !== undefined && (await isForgotten)) {
      await enclave.close()
      rememberDevices(account)
      enclave = await start(true)
    }
    return new ScreenedEnclave(enclave, this.#screen)
  }

  /**
   * Saves the current state, locks the current account, and opens the other one's database, locked. If that fails, the
   * current account stays as it was. Without persistence it opens another account of this page.
   * @throws VaultError NOT_INITIALIZED 'Storage manager not initialized' without persistence, if this page has no such
   *   account
   */
  async switchAccount(accountAddress: string): Promise<void> {
    const act = await this.#alone(() => this.#switch(accountAddress))
    if (act) await this.acted(act)
  }

  /**
   * Makes a new account the active one. It is made and stored first, so a refused backup or a full disk changes
   * nothing; then the previous account is locked and closed.
   */
  async adopt(account: NewAccount): Promise<void> {
    await this.#alone(async () => {
      const left = this.enclave
      const before = this.openStorage
      this.held.requireNew(account.address)
      const stored = this.isPersistent ? await listDatabases().catch(() => [account.address]) : []
      const existed = stored.includes(account.address)
      let storage: AccountStorage | undefined
      let sealed: string
      try {
        if (before) await this.persistState()
        if (this.isPersistent) ({ storage, sealed } = await storeNew(account, this.listener, this.clock))
        else ({ sealed } = await account.make(undefined))
        await account.enclave.adopt(account.address)
      } catch (error) {
        await (existed ? storage?.clearState() : storage?.takeBackState())?.catch(() => undefined)
        storage?.close()
        if (this.isPersistent && !existed) await removeStateless(account.address).catch(() => undefined)
        throw error
      }
      this.plugin = account.enclave
      this.moveInto({ address: account.address, storage, sealed })
      await storage?.startMirror({ restored: true })
      if (storage) await noteAccount(account.address, this.clock.now())
      if (left !== account.enclave) await this.#leave(left, before)
    })
  }

  /** The addresses of the accounts stored here: the databases named `vault_…`. */
  async listPersistedAccounts(): Promise<string[]> {
    return this.enclave && (await listDatabases())
  }

  /**
   * Opens a lost account from its second copy, in memory, locked and read-only. The current account is saved and
   * locked.
   * @throws VaultError OPERATION_FAILED if the copy doesn't hold the account's keys; NOT_INITIALIZED without
   *   persistence
   */
  async openCopy(accountAddress: string): Promise<void> {
    if (this.enclave && !this.isPersistent) throw refused('NoStorage')
    const act = await this.#alone(() =>
      this.#switch(accountAddress, async (address, enclave) => {
        const { openCopied } = await import('./copied-storage.ts')
        return await openCopied(address, enclave)
      }),
    )
    if (act) await this.acted(act)
  }

  /** Deletes an account's database and its second copy. If it's the active account, it is closed too. */
  async removeAccount(accountAddress: string): Promise<void> {
    this.#requireAddress(accountAddress)
    const active = await this.#alone(async () => {
      const remove = () =>
        this.isPersistent ? removeForGood(accountAddress) : this.held.forget(accountAddress)
      if (accountAddress !== this.address) {
        await withWriteLock(accountAddress, async () => remove())
        return false
      }
      const fresh = await this.startEnclave()
      try {
        await withWriteLock(accountAddress, async () => {
          // Our own open connection would block the deletion.
          this.openStorage?.close()
          await remove()
        })
      } catch (error) {
        await fresh.close()
        this.openStorage = await AccountStorage.open(accountAddress, this.listener)
        void this.openStorage.startMirror()
        throw error
      }
      await this.#replace(fresh)
      return true
    })
    await this.acted({ type: 'removed', address: accountAddress, active })
  }

  /** Closes the active account after another tab removed it, without touching what is stored. */
  async releaseAccount(): Promise<void> {
    await this.#alone(async () => {
      if (this.accountAddress !== undefined) await this.#replace(await this.startEnclave())
    })
  }

  /** Closes the active account in this tab only: an enclave shared with other tabs keeps it. */
  async leaveAccount(): Promise<void> {
    await this.#alone(async () => {
      if (this.accountAddress === undefined) return
      const fresh = await this.startEnclave()
      const left = this.plugin
      this.plugin = fresh
      this.forget()
      await left?.close()
    })
  }

  /**
   * Closes the plugin and the storage, and returns to uninitialized. Aborts anything still starting.
   * @param options `wait`: whether to wait until the plugin's worker has erased its memory. Default true
   */
  async cleanup(options?: CloseOptions): Promise<void> {
    this.#closing.abort(refused('VaultClosed'))
    this.#closing = new AbortController()
    await this.#alone(async () => {
      this.expiry.stop()
      const enclave = this.plugin
      this.plugin = undefined
      this.forget()
      this.held.clear()
      await Promise.all([enclave?.close(options), this.#screen.close()])
    })
    await this.acted({ type: 'closed' })
  }

  requestPersistentStorage(): Promise<boolean> {
    return persistence.requestPersistentStorage()
  }

  tryPersistWithoutPromptingUser(): Promise<persistence.PersistenceState> {
    return persistence.tryPersistWithoutPromptingUser()
  }

  getStorageEstimate(): Promise<{ usage: number; quota: number } | undefined> {
    return persistence.getStorageEstimate()
  }

  #requireAddress(address: string): void {
    if (this.enclave && !this.isPersistent && !this.held.has(address)) throw refused('NoStorage')
    if (address.trim() === '') throw refused('AddressRequired')
  }

  /** Runs changes of account one at a time, in the order they were requested. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#lifecycle.then(work, work)
    this.#lifecycle = mine.catch(() => undefined)
    return await mine
  }

  async #switch(
    address: string,
    open: (address: string, enclave: Enclave) => Promise<OpenedAccount> = (each, enclave) =>
      this.#open(each, enclave),
  ): Promise<AccountAct | undefined> {
    const left = this.enclave
    const leftAddress = this.address
    this.#requireAddress(address)
    if (address === leftAddress) return undefined
    const before = this.openStorage
    if (before) await this.persistState()
    const enclave = await this.startEnclave(address)
    try {
      this.moveInto(await open(address, enclave))
    } catch (error) {
      await enclave.close()
      throw error
    }
    this.plugin = enclave
    await this.#leave(left, before)
    return { type: 'opened', ...(leftAddress !== undefined && { left: leftAddress }) }
  }

  /** Opens the configured sealed state, or else the named account. */
  async #openFirst(address: string | undefined, enclave: Enclave): Promise<void> {
    const given = this.config.enclave
    if (given !== undefined) {
      this.moveInto(
        await openGiven(given, enclave, this.isPersistent ? this.listener : undefined, this.clock),
      )
    } else if (address !== undefined) this.moveInto(await this.#open(address, enclave))
  }

  async #open(address: string, enclave: Enclave): Promise<OpenedAccount> {
    if (this.isPersistent) return await openAccount(address, enclave, this.listener, this.clock)
    const sealed = this.held.sealedOf(address)
    if (sealed === undefined) throw refused('NoStorage')
    await openSealed(enclave, sealed)
    return { address, storage: undefined, sealed }
  }

  /** Locks the account being left, so that no tab keeps it open unseen, and closes its storage and enclave. */
  async #leave(enclave: Enclave, storage: OpenStorage | undefined): Promise<void> {
    storage?.close()
    // Without an account the plugin refuses, and there is nothing to lock.
    await enclave.call('lock_vault', {}).catch(() => undefined)
    await enclave.close()
  }

  async #replace(fresh: Enclave): Promise<void> {
    const left = this.plugin
    this.plugin = fresh
    this.forget()
    await left?.call('close_vault', {}).catch(() => undefined)
    await left?.close()
  }
}
