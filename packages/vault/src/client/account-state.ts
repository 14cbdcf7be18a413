import type { Enclave } from '@keyhole/enclave'
import { type Clock, systemClock } from '../base/clock.ts'
import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { leftError, refused } from '../base/errors.ts'
import { raise } from '../base/events.ts'
import { PluginCalls } from '../enclave/plugin-calls.ts'
import { revisionOf } from '../enclave/revision.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { forgetCopy } from '../storage/account/removal.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { StateRecord } from '../storage/schema.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import type { ClientAct, ClientListener } from './client-listener.ts'
import { type HeldAccount, HeldAccounts } from './held-accounts.ts'
import type { OpenedAccount } from './open-account.ts'

/** The account that a client has open: its plugin, its database and its sealed state. */
export abstract class AccountState extends PluginCalls {
  protected readonly config: VaultConfig
  protected readonly listener: ClientListener
  protected readonly clock: Clock
  protected plugin: Enclave | undefined
  /** The open account, whether it's stored or not. */
  protected address: string | undefined
  /** Without persistence: this page's accounts. */
  protected readonly held = new HeldAccounts()
  #storage: OpenStorage | undefined
  #sealed: string | undefined
  /**
   * The revision of a state from the second copy, which may be behind what was signed. Later revisions were made after
   * handling that.
   */
  #behind: number | undefined

  constructor(config: VaultConfig, { clock = systemClock }: VaultDependencies, listener: ClientListener) {
    super()
    this.config = config
    this.listener = listener
    this.clock = clock
  }

  /** True once the plugin is loaded. */
  get isInitialized(): boolean {
    return this.plugin !== undefined
  }

  /** The account whose database is open. */
  get accountAddress(): string | undefined {
    return this.#storage?.address
  }

  /** Without persistence: this page's accounts, which end with it. */
  get heldAccounts(): readonly HeldAccount[] {
    return this.held.list()
  }

  /** The plugin. @throws VaultError NOT_INITIALIZED */
  get enclave(): Enclave {
    if (!this.plugin) throw refused('ClientNotStarted')
    return this.plugin
  }

  /** The open account's database, if any. */
  get openStorage(): OpenStorage | undefined {
    return this.#storage
  }

  protected set openStorage(storage: OpenStorage | undefined) {
    this.#storage = storage
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

  /** Whether this is the open account's enclave: another account may have been opened in the meantime. */
  holds(enclave: Enclave): boolean {
    return this.plugin === enclave
  }

  /** Stores the current sealed state with the time of this access. A newer stored state is left as it is. */
  async persistState(): Promise<void> {
    const { storage } = this
    if (storage.isCopy) return
    await withWriteLock(storage.address, async () => {
      const sealed = await this.newestState()
      if (sealed === undefined) return
      try {
        await storage.writeState(sealed, this.clock.now())
      } catch (error) {
        // Each change has stored its state. If this is the stored one, only the time of its last use is missing.
        const stored = await storage.readState().catch(() => undefined)
        if (stored?.enclave !== sealed) throw error
      }
    })
  }

  /**
   * Stores a new sealed state, with the batch in one transaction. The caller holds the account's write lock. Without
   * persistence it stays in memory.
   * @param enclave what sealed it
   * @throws VaultError OPERATION_FAILED, also if another account is open by now: nothing was stored
   */
  async saveSealedState(enclave: Enclave, sealed: string, batch?: StateBatch): Promise<void> {
    if (!this.holds(enclave)) throw leftError()
    await this.#storage?.writeState(sealed, this.clock.now(), batch)
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
    await this.acted({ type: 'stored', what: 'accounts' })
  }

  /** Without persistence: keeps the current state for when the account is opened again. */
  #hold(): void {
    if (this.isPersistent || this.address === undefined || this.#sealed === undefined) return
    this.held.hold(this.address, this.#sealed, this.clock.now())
  }

  /** Makes an account that its plugin has open the open one. */
  protected moveInto({ address, storage, sealed, behind = false }: OpenedAccount): void {
    this.address = address
    this.#storage = storage
    this.#sealed = sealed
    this.#hold()
    this.#behind = behind ? revisionOf(sealed ?? '') : undefined
  }

  /** From now on no account is open. */
  protected forget(): void {
    this.#storage?.close()
    this.#storage = undefined
    this.address = undefined
    this.#sealed = undefined
    this.#behind = undefined
  }

  /** Announces what a method did: through the layer above, if there is one. */
  protected async acted(act: ClientAct): Promise<void> {
    if (this.listener.acted) return await this.listener.acted(act)
    const { accountAddress: address } = this
    const about = address === undefined ? {} : { address }
    if (act.type === 'stored') raise(this, 'vault:changed', { ...about, change: act.what })
    if (act.type === 'removed') raise(this, 'vault:changed', { address: act.address, change: 'removed' })
    if (act.type !== 'opened') return
    if (act.left !== undefined) raise(this, 'vault:locked', { address: act.left })
    raise(this, 'vault:initialized', { ...about, locked: true })
  }

  protected get isPersistent(): boolean {
    return this.config.enablePersistence ?? true
  }
}
