import type { CloseOptions, Enclave } from '@keyhole/enclave'
import type { ActivityAbout } from '../base/act.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { DEFAULT_CLEANUP_INTERVAL, type VaultConfig, type VaultDependencies } from '../base/config.ts'
import { leftError, refused } from '../base/errors.ts'
import { raise } from '../base/events.ts'
import { browserValues, memoryValues } from '../base/local-values.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { PluginCalls } from '../enclave/plugin-calls.ts'
import { revisionOf } from '../enclave/revision.ts'
import { Screen } from '../enclave/screen.ts'
import { ScreenedEnclave } from '../enclave/screened-enclave.ts'
import { startEnclave, startVerifier } from '../enclave/start-enclave.ts'
import { removeStateless } from '../storage/account/account-list.ts'
import {
  AccountStorage,
  listDatabases,
  type OpenStorage,
  type StateBatch,
  type StorageListener,
} from '../storage/account/account-storage.ts'
import { forgetCopy, removeForGood } from '../storage/account/removal.ts'
import { noteAccount } from '../storage/canary.ts'
import { aboutExpiry, sizeOf } from '../storage/expiry.ts'
import * as persistence from '../storage/persistence.ts'
import type { SessionRecord, StateRecord, TokenRecord } from '../storage/schema.ts'
import { payloadOf, type SaveTokenExtra, type SignedToken, toTokenRecord } from '../storage/token-record.ts'
import { withCleanupLock, withWriteLock } from '../storage/write-lock.ts'
import { ClockWitness } from './clock-witness.ts'
import { type HeldAccount, HeldAccounts } from './held-accounts.ts'
import { type NewAccount, type OpenedAccount, openAccount, openGiven, storeNew } from './open-account.ts'

/** What became of the account that is open: `left` is the one that was open before. */
export type AccountAct =
  | { readonly type: 'opened'; readonly left?: string }
  | { readonly type: 'removed'; readonly address: string; readonly active: boolean }
  | { readonly type: 'closed' }

/** What was done by a method of the client. */
export type ClientAct =
  | AccountAct
  | { readonly type: 'stored'; readonly what: 'tokens' | 'sessions' | 'accounts' }

/** What a client tells whoever made it. */
export interface ClientListener extends StorageListener {
  /** Hears of what the client's own methods did, and tells of it; without it the client raises the events itself. */
  acted?(act: ClientAct): Promise<void>
  /** The hourly clean-up has deleted this many tokens and sessions. */
  expired?(count: number): void
  /** A clock that was ahead had put this many tokens and sessions away: they are back. */
  restored?(count: number): void
  /** Writes what a clean-up does, with its line in the log. Default: it is only written. */
  expire?(about: ActivityAbout, batch: StateBatch): Promise<void>
}

/**
 * The plugin and the storage of one account: it calls, and it stores. Its codes are WASM_NOT_LOADED, NOT_INITIALIZED
 * and OPERATION_FAILED; a refusal by the plugin is OPERATION_FAILED with the plugin's text, its code in `details`.
 * What keys and locks mean is the layer above, `KeyVault`.
 */
export class VaultClient extends PluginCalls {
  readonly #config: VaultConfig
  readonly #dependencies: VaultDependencies
  readonly #listener: ClientListener
  readonly #clock: Clock
  readonly #witness: ClockWitness
  /** Where what strangers wrote is read before any enclave with keys sees it. */
  readonly #screen: Screen
  #didWebHosts: readonly string[]
  #wasmPath: string | undefined
  #enclave: Enclave | undefined
  #storage: OpenStorage | undefined
  /** The account that is open, stored or not. */
  #address: string | undefined
  /** Without persistence: the accounts of this page. */
  readonly #held = new HeldAccounts()
  #sealed: string | undefined
  /** The revision of a state that may be behind what was signed since. One after it was made knowing that. */
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

  /** The hosts that may be asked for the keys of a `did:web`. */
  get didWebHosts(): readonly string[] {
    return this.#didWebHosts
  }

  /** Lets other hosts be asked from now on. What is being checked meanwhile is given up, and may be asked again. */
  async allowDidWebHosts(hosts: readonly string[]): Promise<void> {
    this.#didWebHosts = [...hosts]
    await this.#screen.close()
  }

  /** The account whose database is open. */
  get accountAddress(): string | undefined {
    return this.#storage?.address
  }

  /** Without persistence: the accounts of this page, which end with it. */
  get heldAccounts(): readonly HeldAccount[] {
    return this.#held.list()
  }

  /** The plugin. @throws VaultError NOT_INITIALIZED */
  get enclave(): Enclave {
    if (!this.#enclave) throw refused('ClientNotStarted')
    return this.#enclave
  }

  /** The open account's database, where one is open. */
  get openStorage(): OpenStorage | undefined {
    return this.#storage
  }

  /** The open account's database. @throws VaultError NOT_INITIALIZED 'Storage manager not initialized' */
  get storage(): OpenStorage {
    if (this.enclave && this.#storage) return this.#storage
    throw refused('NoStorage')
  }

  /** The sealed state at hand, as JSON text. */
  get sealedState(): string | undefined {
    return this.#sealed
  }

  /**
   * Loads the plugin, asks for persistent storage, and opens an account where one is named (locked, from what is
   * stored). Once it is ready, a second call only opens the account it names.
   *
   * @param wasmPath URL of the plugin; default: the configured one
   * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'; OPERATION_FAILED where the account cannot be opened
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
        // The answer can be a person's, and the vault does not wait for it.
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
   * Another plugin from the same source, as the next account's home. The caller closes it, or hands it to `adopt`.
   *
   * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'
   */
  async startEnclave(account?: string): Promise<Enclave> {
    const { signal } = this.#closing
    const request = { signal, wasmPath: this.#wasmPath, account }
    const enclave = await startEnclave(this.#config, this.#dependencies, request)
    return new ScreenedEnclave(enclave, this.#screen)
  }

  /**
   * Saves the current state, locks the account that is left, and opens the other's database (locked).
   * Where the other cannot be opened, the current one stays as it was. Without persistence it opens an account of this page.
   *
   * @throws VaultError NOT_INITIALIZED 'Storage manager not initialized' without persistence, where this page has no such account
   */
  async switchAccount(accountAddress: string): Promise<void> {
    const act = await this.#alone(() => this.#switch(accountAddress))
    if (act) await this.#acted(act)
  }

  /**
   * Makes a new account the active one. Its state (and the batch) is written first, so that a full disk leaves
   * everything as it was; then the account that is left is saved, locked and closed.
   */
  async adopt(account: NewAccount): Promise<void> {
    await this.#alone(async () => {
      const left = this.enclave
      const before = this.#storage
      this.#held.requireNew(account.address)
      const stored = this.#persistent ? await listDatabases().catch(() => [account.address]) : []
      const existed = stored.includes(account.address)
      let storage: AccountStorage | undefined
      try {
        if (before) await this.persistState()
        if (this.#persistent) storage = await storeNew(account, this.#listener)
        await account.enclave.adopt(account.address)
      } catch (error) {
        await (existed ? storage?.clearState() : storage?.takeBackState())?.catch(() => undefined)
        storage?.close()
        if (this.#persistent && !existed) await removeStateless(account.address).catch(() => undefined)
        throw error
      }
      this.#enclave = account.enclave
      this.#moveInto({ address: account.address, storage, sealed: account.sealed })
      await storage?.startMirror({ restored: true })
      if (storage) await noteAccount(account.address, Date.now())
      if (left !== account.enclave) await this.#leave(left, before)
    })
  }

  /** The addresses of the accounts stored here: the databases named `vault_…`. */
  async listPersistedAccounts(): Promise<string[]> {
    return this.enclave && (await listDatabases())
  }

  /**
   * Opens a lost account from its second copy, in memory and locked: all of it can be read, and nothing is written. The
   * account that is left is saved and locked.
   *
   * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys; NOT_INITIALIZED without persistence
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

  /** Whether the account that is open is one whose second copy is read: nothing can be written then. */
  get isCopy(): boolean {
    return this.#storage?.isCopy ?? false
  }

  /** The newer of the sealed state at hand and the stored one. */
  async newestState(): Promise<string | undefined> {
    const storage = this.#storage
    const record = await storage?.readState()
    const stored = record?.enclave
    // Another account was opened meanwhile: its state at hand is not to be replaced with this one's.
    if (storage !== this.#storage) return stored
    if (record?.behind) this.#behind = revisionOf(record.enclave)
    if (stored !== undefined && (revisionOf(stored) ?? 0) > (revisionOf(this.#sealed ?? '') ?? -1)) {
      this.#sealed = stored
    }
    return this.#sealed
  }

  /** Whether a state is the one that came from the second copy: its mandates are suspended before anything is signed. */
  isBehind(sealed: string): boolean {
    return this.#behind !== undefined && (revisionOf(sealed) ?? 0) <= this.#behind
  }

  /** Deletes an account's database and its second copy. Where it is the active one, the active account and database are cleared too. */
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
          // Our own connection would stand in the way of the deletion.
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

  /** Lets go of the active account after another tab has removed it. What is stored is not touched. */
  async releaseAccount(): Promise<void> {
    await this.#alone(async () => {
      if (this.accountAddress !== undefined) await this.#replace(await this.startEnclave())
    })
  }

  /** Lets go of the active account in this tab alone: an enclave that other tabs share keeps it as it is. */
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

  /** Every stored token that can be read, newest first. */
  async getPersistedTokens(): Promise<TokenRecord[]> {
    return await this.storage.readTokens()
  }

  /**
   * Stores a token as the plugin returned it. A token that is stored already (by its CID) is stored once.
   *
   * @returns the record that is stored
   */
  async saveToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    const { storage } = this
    const record = await storage.addToken(await this.describeToken(result, extra))
    await this.#acted({ type: 'stored', what: 'tokens' })
    return record
  }

  /** The record that `saveToken` would store. */
  async describeToken(result: SignedToken, extra: SaveTokenExtra = {}): Promise<TokenRecord> {
    // What was made here says itself what is in it; anything else is read without the keys.
    const said = result.payload ?? payloadOf(await this.inspectToken(result.token), result.cid)
    return toTokenRecord(result, said, extra, Date.now())
  }

  async removeToken(id: string): Promise<void> {
    await this.storage.removeToken(id)
    await this.#acted({ type: 'stored', what: 'tokens' })
  }

  /**
   * Deletes the tokens and sessions that have expired; returns how many. Grants given and received, and sessions, are kept
   * whole in the metadata for 90 days after their end. Nothing is deleted while the clock is not to be believed, and what
   * a clock that was ahead has put away comes back.
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
    // Where nothing is due the server need not be asked for the time.
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

  /** Every stored session that can be read, newest first. */
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
      createdAt: Date.now(),
    }
    await storage.putSession(record)
    await this.#acted({ type: 'stored', what: 'sessions' })
    return record
  }

  async removeSession(id: string): Promise<void> {
    await this.storage.removeSession(id)
    await this.#acted({ type: 'stored', what: 'sessions' })
  }

  /** Stores the sealed state at hand, with the time of this access. A stored state that is newer is left as it is. */
  async persistState(): Promise<void> {
    const { storage } = this
    if (storage.isCopy) return
    await withWriteLock(storage.address, async () => {
      const sealed = await this.newestState()
      if (sealed !== undefined) await storage.writeState(sealed, Date.now())
    })
  }

  /** Whether an enclave is the one of the account that is open: another one may have been opened during a wait. */
  holds(enclave: Enclave): boolean {
    return this.#enclave === enclave
  }

  /**
   * Stores a new sealed state, and the batch with it in one transaction. The caller holds the account's write lock.
   * Without persistence it is only kept at hand.
   *
   * @param enclave what sealed it
   * @throws VaultError OPERATION_FAILED, also where another account is open by now: nothing was stored then
   */
  async saveSealedState(enclave: Enclave, sealed: string, batch?: StateBatch): Promise<void> {
    if (!this.holds(enclave)) throw leftError()
    await this.#storage?.writeState(sealed, Date.now(), batch)
    if (!this.holds(enclave)) return
    this.#sealed = sealed
    this.#hold()
  }

  /** The stored state record; undefined where there is none. */
  async loadPersistedState(): Promise<StateRecord | undefined> {
    return await this.storage.readState()
  }

  /** Deletes the stored state record and the account's second copy: what is not in a backup is then gone with the tab. */
  async clearPersistedState(): Promise<void> {
    const { storage } = this
    await storage.clearState()
    await forgetCopy(storage.address)
    await this.#acted({ type: 'stored', what: 'accounts' })
  }

  /**
   * Closes the plugin and the storage, and returns to uninitialised. What is still starting is aborted.
   *
   * @param options `wait`: whether to wait until the plugin's worker has wiped itself. Default true
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

  /** Forgets which moment was believed last for an account that is gone. */
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

  /** One change of account at a time, in the order they were asked for. */
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

  /** Tells of what one of these methods did: by the layer above, where there is one. */
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

  /** The sealed state that was configured, else the account that was named. */
  async #openFirst(address: string | undefined, enclave: Enclave): Promise<void> {
    const given = this.#config.enclave
    if (given !== undefined) {
      this.#moveInto(await openGiven(given, enclave, this.#persistent ? this.#listener : undefined))
    } else if (address !== undefined) this.#moveInto(await this.#open(address, enclave))
  }

  async #open(address: string, enclave: Enclave): Promise<OpenedAccount> {
    if (this.#persistent) return await openAccount(address, enclave, this.#listener)
    const sealed = this.#held.sealedOf(address)
    if (sealed === undefined) throw refused('NoStorage')
    await openSealed(enclave, sealed)
    return { address, storage: undefined, sealed }
  }

  /** Without persistence: keeps the state at hand for when the account is opened again. */
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

  /** Reads the clock for an account that was just opened, and puts back what a wrong one has hidden. Never fails. */
  async #attend(storage: OpenStorage): Promise<void> {
    try {
      await this.#witness.attend(storage)
      const restored = await storage.restoreUnexpired(this.#clock.now())
      if (restored > 0 && this.#storage === storage) this.#listener.restored?.(restored)
    } catch {
      // It is done again by the next clean-up, and until then nothing is deleted that is not due.
    }
  }

  /** Locks the account that is left, so that no tab keeps it open unseen, and closes what belonged to it. */
  async #leave(enclave: Enclave, storage: OpenStorage | undefined): Promise<void> {
    storage?.close()
    // Where it holds no account the plugin refuses, and there is nothing to lock.
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
        // Only logged: what has expired is refused by every verifier, deleted or not.
        (error: unknown) => console.error('Cleanup of expired data failed:', error),
      )
    }, this.#config.cleanupInterval ?? DEFAULT_CLEANUP_INTERVAL)
    // A clean-up that is due in an hour is no reason for a Node process to stay.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }
}
