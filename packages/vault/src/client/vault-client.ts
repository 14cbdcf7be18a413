import type { CloseOptions, Enclave } from '@keyhole/enclave'
import type { ActivityAbout } from '../base/act.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { DEFAULT_CLEANUP_INTERVAL, type VaultConfig, type VaultDependencies } from '../base/config.ts'
import { leftError, refused } from '../base/errors.ts'
import { raise } from '../base/events.ts'
import { browserValues, memoryValues } from '../base/local-values.ts'
import { needsDevices, rememberDevices } from '../enclave/needs-devices.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { PluginCalls } from '../enclave/plugin-calls.ts'
import { revisionOf } from '../enclave/revision.ts'
import { Screen } from '../enclave/screen.ts'
import { ScreenedEnclave } from '../enclave/screened-enclave.ts'
import { startEnclave, startVerifier } from '../enclave/start-enclave.ts'
import { isOnDevices, listDatabases } from '../storage/account/account-databases.ts'
import { removeStateless } from '../storage/account/account-list.ts'
import { AccountStorage, type OpenStorage, type StorageListener } from '../storage/account/account-storage.ts'
import { forgetCopy, removeForGood } from '../storage/account/removal.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { noteAccount } from '../storage/canary.ts'
import { aboutExpiry, sizeOf } from '../storage/expiry.ts'
import * as persistence from '../storage/persistence.ts'
import type { SessionRecord, StateRecord, TokenRecord } from '../storage/schema.ts'
import { payloadOf, type SaveTokenExtra, type SignedToken, toTokenRecord } from '../storage/token-record.ts'
import { withCleanupLock, withWriteLock } from '../storage/write-lock.ts'
import { ClockWitness } from './clock-witness.ts'
import { type HeldAccount, HeldAccounts } from './held-accounts.ts'
import { type NewAccount, type OpenedAccount, openAccount, openGiven, storeNew } from './open-account.ts'

/** What happened to the open account; `left` is the previous one. */
export type AccountAct =
  | { readonly type: 'opened'; readonly left?: string }
  | { readonly type: 'removed'; readonly address: string; readonly active: boolean }
  | { readonly type: 'closed' }

/** What a method of the client did. */
export type ClientAct =
  | AccountAct
  | { readonly type: 'stored'; readonly what: 'tokens' | 'sessions' | 'accounts' }

/** Events of a client for its creator. */
export interface ClientListener extends StorageListener {
  /** Called with what the client's own methods did, to announce it. Without it, the client raises the events. */
  acted?(act: ClientAct): Promise<void>
  /** The hourly clean-up deleted this many tokens and sessions. */
  expired?(count: number): void
  /** This many tokens and sessions, removed while the clock was ahead, were restored. */
  restored?(count: number): void
  /** Writes the changes of a clean-up, with a log line. Default: writes them without a line. */
  expire?(about: ActivityAbout, batch: StateBatch): Promise<void>
}

/**
 * The plugin and the storage of one account, without the meaning of keys and locks, which `KeyVault` adds. Its codes
 * are WASM_NOT_LOADED, NOT_INITIALIZED and OPERATION_FAILED. A refusal by the plugin is OPERATION_FAILED with the
 * plugin's text, and its code in `details`.
 */
export class VaultClient extends PluginCalls {
  readonly #config: VaultConfig
  readonly #dependencies: VaultDependencies
  readonly #listener: ClientListener
  readonly #clock: Clock
  readonly #witness: ClockWitness
  /** Reads texts from strangers before any enclave with keys sees them. */
  readonly #screen: Screen
  #didWebHosts: readonly string[]
  #wasmPath: string | undefined
  #enclave: Enclave | undefined
  #storage: OpenStorage | undefined
  /** The open account, whether it's stored or not. */
  #address: string | undefined
  /** Without persistence: this page's accounts. */
  readonly #held = new HeldAccounts()
  #sealed: string | undefined
  /**
   * The revision of a state from the second copy, which may be behind what was signed. Later revisions were made after
   * handling that.
   */
  #behind: number | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #closing = new AbortController()
  #lifecycle: Promise<unknown> = Promise.resolve()

  constructor(config: VaultConfig = {}, dependencies: VaultDependencies = {}, listener: ClientListener = {}) {
    super()
    this.#config = config
    this.#dependencies = dependencies
    this.#listener = listener
    this.#clock = dependencies.clock ?? systemClock
    const values = this.#persistent ? browserValues() : memoryValues()
    this.#witness = new ClockWitness(this.#clock, values, dependencies.serverTime)
    this.#didWebHosts = config.didWebHosts ?? []
    this.#screen = new Screen(() =>
      startVerifier({ ...config, didWebHosts: this.#didWebHosts }, dependencies, this.#wasmPath),
    )
  }

  /** True once the plugin is loaded. */
  get isInitialized(): boolean {
    return this.#enclave !== undefined
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

  /** The account whose database is open. */
  get accountAddress(): string | undefined {
    return this.#storage?.address
  }

  /** Without persistence: this page's accounts, which end with it. */
  get heldAccounts(): readonly HeldAccount[] {
    return this.#held.list()
  }

  /** The plugin. @throws VaultError NOT_INITIALIZED */
  get enclave(): Enclave {
    if (!this.#enclave) throw refused('ClientNotStarted')
    return this.#enclave
  }

  /** The open account's database, if any. */
  get openStorage(): OpenStorage | undefined {
    return this.#storage
  }

  /** The open account's database. @throws VaultError NOT_INITIALIZED 'Storage manager not initialized' */
  get storage(): OpenStorage {
    if (this.enclave && this.#storage) return this.#storage
    throw refused('NoStorage')
  }

  /** The current sealed state, as JSON text. */
  get sealedState(): string | undefined {
    return this.#sealed
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
      if (this.#enclave) return accountAddress === undefined ? undefined : await this.#switch(accountAddress)
      this.#wasmPath = wasmPath
      const enclave = await this.startEnclave(accountAddress)
      try {
        // A person may have to answer the prompt, so don't wait.
        if (this.#persistent) void this.requestPersistentStorage()
        await this.#openFirst(accountAddress, enclave)
        closing.signal.throwIfAborted()
      } catch (error) {
        this.#forget()
        await enclave.close()
        throw error
      }
      this.#enclave = enclave
      this.#startCleanup()
      return { type: 'opened' }
    })
    if (act) await this.#acted(act)
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
      return await startEnclave(this.#config, this.#dependencies, request)
    }
    // Local storage may have lost it: a browser writes that down some time after everything else.
    const isForgotten = account !== undefined && !devices && this.#persistent && isOnDevices(account)
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
    if (act) await this.#acted(act)
  }

  /**
   * Makes a new account the active one. It is made and stored first, so a refused backup or a full disk changes
   * nothing; then the previous account is locked and closed.
   */
  async adopt(account: NewAccount): Promise<void> {
    await this.#alone(async () => {
      const left = this.enclave
      const before = this.#storage
      this.#held.requireNew(account.address)
      const stored = this.#persistent ? await listDatabases().catch(() => [account.address]) : []
      const existed = stored.includes(account.address)
      let storage: AccountStorage | undefined
      let sealed: string
      try {
        if (before) await this.persistState()
        if (this.#persistent) ({ storage, sealed } = await storeNew(account, this.#listener, this.#clock))
        else ({ sealed } = await account.make(undefined))
        await account.enclave.adopt(account.address)
      } catch (error) {
        await (existed ? storage?.clearState() : storage?.takeBackState())?.catch(() => undefined)
        storage?.close()
        if (this.#persistent && !existed) await removeStateless(account.address).catch(() => undefined)
        throw error
      }
      this.#enclave = account.enclave
      this.#moveInto({ address: account.address, storage, sealed })
      await storage?.startMirror({ restored: true })
      if (storage) await noteAccount(account.address, this.#clock.now())
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
    if (this.enclave && !this.#persistent) throw refused('NoStorage')
    const act = await this.#alone(() =>
      this.#switch(accountAddress, async (address, enclave) => {
        const { openCopied } = await import('./copied-storage.ts')
        return await openCopied(address, enclave)
      }),
    )
    if (act) await this.#acted(act)
  }

  /** Whether the open account is read from its second copy, which is read-only. */
  get isCopy(): boolean {
    return this.#storage?.isCopy ?? false
  }

  /** The newer of the current sealed state and the stored one. */
  async newestState(): Promise<string | undefined> {
    const storage = this.#storage
    const record = await storage?.readState()
    const stored = record?.enclave
    // Another account was opened in the meantime: keep its state.
    if (storage !== this.#storage) return stored
    if (record?.behind) this.#behind = revisionOf(record.enclave)
    if (stored !== undefined && (revisionOf(stored) ?? 0) > (revisionOf(this.#sealed ?? '') ?? -1)) {
      this.#sealed = stored
    }
    return this.#sealed
  }

  /** Whether a state comes from the second copy. Its mandates are then suspended before anything is signed. */
  isBehind(sealed: string): boolean {
    return this.#behind !== undefined && (revisionOf(sealed) ?? 0) <= this.#behind
  }

  /** Deletes an account's database and its second copy. If it's the active account, it is closed too. */
  async removeAccount(accountAddress: string): Promise<void> {
    this.#requireAddress(accountAddress)
    const active = await this.#alone(async () => {
      const remove = () =>
        this.#persistent ? removeForGood(accountAddress) : this.#held.forget(accountAddress)
      if (accountAddress !== this.#address) {
        await withWriteLock(accountAddress, async () => remove())
        return false
      }
      const fresh = await this.startEnclave()
      try {
        await withWriteLock(accountAddress, async () => {
          // Our own open connection would block the deletion.
          this.#storage?.close()
          await remove()
        })
      } catch (error) {
        await fresh.close()
        this.#storage = await AccountStorage.open(accountAddress, this.#listener)
        void this.#storage.startMirror()
        throw error
      }
      await this.#replace(fresh)
      return true
    })
    await this.#acted({ type: 'removed', address: accountAddress, active })
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
      const left = this.#enclave
      this.#enclave = fresh
      this.#forget()
      await left?.close()
    })
  }

  /** Every readable stored token, newest first. */
  async getPersistedTokens(): Promise<TokenRecord[]> {
    return await this.storage.readTokens()
  }

  /**
   * Stores a token as returned by the plugin. A token with the same CID is stored only once.
   * @returns the stored record
   */
  async saveToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    const { storage } = this
    const described = await this.describeToken(result, extra)
    const record = await withWriteLock(storage.address, () => storage.addToken(described))
    await this.#acted({ type: 'stored', what: 'tokens' })
    return record
  }

  /** The record that `saveToken` would store. */
  async describeToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    // A token made here comes with its payload. Any other is read in an enclave without keys.
    const said = result.payload ?? payloadOf(await this.inspectToken(result.token), result.cid)
    return toTokenRecord(result, said, extra, this.#clock.now())
  }

  async removeToken(id: string): Promise<void> {
    const { storage } = this
    await withWriteLock(storage.address, () => storage.removeToken(id))
    await this.#acted({ type: 'stored', what: 'tokens' })
  }

  /**
   * Deletes expired tokens and sessions and returns how many. Grants given and received, and sessions, stay in the
   * metadata for 90 days after they end. While the clock isn't trusted, nothing is deleted, and what was removed by a
   * clock that was ahead is restored.
   */
  async removeExpiredTokens(): Promise<number> {
    const removed = await this.#removeExpired()
    if (removed > 0)
      for (const what of ['tokens', 'sessions'] as const) await this.#acted({ type: 'stored', what })
    return removed
  }

  async #removeExpired(): Promise<number> {
    const { storage } = this
    if (storage.isCopy) return 0
    return await withCleanupLock(storage.address, () => this.#expire(storage))
  }

  async #expire(storage: OpenStorage): Promise<number> {
    const restored = await storage.restoreUnexpired(this.#clock.now())
    if (restored > 0) this.#listener.restored?.(restored)
    let removed = 0
    // If nothing is due, there's no need to ask the server for the time.
    if (sizeOf(await storage.readExpired(this.#clock.now(), 1)) === 0) {
      await this.#witness.attend(storage)
      return removed
    }
    const now = await this.#witness.reading(storage)
    if (now === undefined) return removed
    for (;;) {
      const expiry = await storage.readExpired(now)
      if (sizeOf(expiry) === 0) return removed
      const batch = storage.expiryBatch(expiry)
      if (this.#listener.expire && this.#storage === storage) {
        await this.#listener.expire(aboutExpiry(expiry), batch)
      } else await withWriteLock(storage.address, () => storage.writeBatch(batch))
      removed += expiry.tokens.length + expiry.sessions.length
    }
  }

  /** Every readable stored session, newest first. */
  async getSessions(): Promise<SessionRecord[]> {
    return await this.storage.readSessions()
  }

  /** Stores a session of this account. @param expiresAt milliseconds since 1970 */
  async saveSession(expiresAt: number): Promise<SessionRecord> {
    const { storage } = this
    const record = {
      id: crypto.randomUUID(),
      accountAddress: storage.address,
      expiresAt,
      createdAt: this.#clock.now(),
    }
    await storage.putSession(record)
    await this.#acted({ type: 'stored', what: 'sessions' })
    return record
  }

  async removeSession(id: string): Promise<void> {
    await this.storage.removeSession(id)
    await this.#acted({ type: 'stored', what: 'sessions' })
  }

  /** Stores the current sealed state with the time of this access. A newer stored state is left as it is. */
  async persistState(): Promise<void> {
    const { storage } = this
    if (storage.isCopy) return
    await withWriteLock(storage.address, async () => {
      const sealed = await this.newestState()
      if (sealed === undefined) return
      try {
        await storage.writeState(sealed, this.#clock.now())
      } catch (error) {
        // Each change has stored its state. If this is the stored one, only the time of its last use is missing.
        const stored = await storage.readState().catch(() => undefined)
        if (stored?.enclave !== sealed) throw error
      }
    })
  }

  /** Whether this is the open account's enclave: another account may have been opened in the meantime. */
  holds(enclave: Enclave): boolean {
    return this.#enclave === enclave
  }

  /**
   * Stores a new sealed state, with the batch in one transaction. The caller holds the account's write lock. Without
   * persistence it stays in memory.
   * @param enclave what sealed it
   * @throws VaultError OPERATION_FAILED, also if another account is open by now: nothing was stored
   */
  async saveSealedState(enclave: Enclave, sealed: string, batch?: StateBatch): Promise<void> {
    if (!this.holds(enclave)) throw leftError()
    await this.#storage?.writeState(sealed, this.#clock.now(), batch)
    if (!this.holds(enclave)) return
    this.#sealed = sealed
    this.#hold()
  }

  /** The stored state record, if any. */
  async loadPersistedState(): Promise<StateRecord | undefined> {
    return await this.storage.readState()
  }

  /**
   * Deletes the stored state record and the account's second copy. Anything not in a backup is lost when the tab
   * closes.
   */
  async clearPersistedState(): Promise<void> {
    const { storage } = this
    await storage.clearState()
    await forgetCopy(storage.address)
    await this.#acted({ type: 'stored', what: 'accounts' })
  }

  /**
   * Closes the plugin and the storage, and returns to uninitialized. Aborts anything still starting.
   * @param options `wait`: whether to wait until the plugin's worker has erased its memory. Default true
   */
  async cleanup(options?: CloseOptions): Promise<void> {
    this.#closing.abort(refused('VaultClosed'))
    this.#closing = new AbortController()
    await this.#alone(async () => {
      clearInterval(this.#timer)
      const enclave = this.#enclave
      this.#enclave = undefined
      this.#forget()
      this.#held.clear()
      await Promise.all([enclave?.close(options), this.#screen.close()])
    })
    await this.#acted({ type: 'closed' })
  }

  /** Forgets the trusted time of a removed account. */
  forgetClock(address: string): void {
    this.#witness.forget(address)
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

  get #persistent(): boolean {
    return this.#config.enablePersistence ?? true
  }

  #requireAddress(address: string): void {
    if (this.enclave && !this.#persistent && !this.#held.has(address)) throw refused('NoStorage')
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
    const leftAddress = this.#address
    this.#requireAddress(address)
    if (address === leftAddress) return undefined
    const before = this.#storage
    if (before) await this.persistState()
    const enclave = await this.startEnclave(address)
    try {
      this.#moveInto(await open(address, enclave))
    } catch (error) {
      await enclave.close()
      throw error
    }
    this.#enclave = enclave
    await this.#leave(left, before)
    return { type: 'opened', ...(leftAddress !== undefined && { left: leftAddress }) }
  }

  /** Announces what a method did: through the layer above, if there is one. */
  async #acted(act: ClientAct): Promise<void> {
    if (this.#listener.acted) return await this.#listener.acted(act)
    const { accountAddress: address } = this
    const about = address === undefined ? {} : { address }
    if (act.type === 'stored') raise(this, 'vault:changed', { ...about, change: act.what })
    if (act.type === 'removed') raise(this, 'vault:changed', { address: act.address, change: 'removed' })
    if (act.type !== 'opened') return
    if (act.left !== undefined) raise(this, 'vault:locked', { address: act.left })
    raise(this, 'vault:initialized', { ...about, locked: true })
  }

  /** Opens the configured sealed state, or else the named account. */
  async #openFirst(address: string | undefined, enclave: Enclave): Promise<void> {
    const given = this.#config.enclave
    if (given !== undefined) {
      this.#moveInto(
        await openGiven(given, enclave, this.#persistent ? this.#listener : undefined, this.#clock),
      )
    } else if (address !== undefined) this.#moveInto(await this.#open(address, enclave))
  }

  async #open(address: string, enclave: Enclave): Promise<OpenedAccount> {
    if (this.#persistent) return await openAccount(address, enclave, this.#listener, this.#clock)
    const sealed = this.#held.sealedOf(address)
    if (sealed === undefined) throw refused('NoStorage')
    await openSealed(enclave, sealed)
    return { address, storage: undefined, sealed }
  }

  /** Without persistence: keeps the current state for when the account is opened again. */
  #hold(): void {
    if (this.#persistent || this.#address === undefined || this.#sealed === undefined) return
    this.#held.hold(this.#address, this.#sealed, this.#clock.now())
  }

  #moveInto({ address, storage, sealed, behind = false }: OpenedAccount): void {
    this.#address = address
    this.#storage = storage
    this.#sealed = sealed
    this.#hold()
    this.#behind = behind ? revisionOf(sealed ?? '') : undefined
    if (storage && !storage.isCopy) void this.#attend(storage)
  }

  /** Checks the clock for a newly opened account, and restores what a wrong one hid. Never fails. */
  async #attend(storage: OpenStorage): Promise<void> {
    try {
      await this.#witness.attend(storage)
      const restored = await storage.restoreUnexpired(this.#clock.now())
      if (restored > 0 && this.#storage === storage) this.#listener.restored?.(restored)
    } catch {
      // The next clean-up repeats this; until then nothing is deleted early.
    }
  }

  /** Locks the account being left, so that no tab keeps it open unseen, and closes its storage and enclave. */
  async #leave(enclave: Enclave, storage: OpenStorage | undefined): Promise<void> {
    storage?.close()
    // Without an account the plugin refuses, and there is nothing to lock.
    await enclave.call('lock_vault', {}).catch(() => undefined)
    await enclave.close()
  }

  async #replace(fresh: Enclave): Promise<void> {
    const left = this.#enclave
    this.#enclave = fresh
    this.#forget()
    await left?.call('close_vault', {}).catch(() => undefined)
    await left?.close()
  }

  #forget(): void {
    this.#storage?.close()
    this.#storage = undefined
    this.#address = undefined
    this.#sealed = undefined
    this.#behind = undefined
  }

  #startCleanup(): void {
    if (!this.#persistent || this.#config.autoCleanup === false) return
    this.#timer = setInterval(() => {
      if (!this.#storage) return
      this.#removeExpired().then(
        (count) => count > 0 && this.#listener.expired?.(count),
        // Only logged: every verifier refuses what has expired, deleted or not.
        (error: unknown) => console.error('Cleanup of expired data failed:', error),
      )
    }, this.#config.cleanupInterval ?? DEFAULT_CLEANUP_INTERVAL)
    // A pending clean-up shouldn't keep a Node process alive.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }
}
