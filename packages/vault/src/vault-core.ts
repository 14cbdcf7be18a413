import type { Enclave, EnclaveExport } from '@keyhole/enclave'
import type { GenericSchema, InferOutput } from 'valibot'
import { describeAccounts } from './accounts.ts'
import { DEFAULT_CHAIN_ID, type VaultConfig, type VaultDependencies } from './config.ts'
import { toKeyVaultError, VaultError } from './errors.ts'
import type { VaultEventMap, VaultEventName, VaultEvents } from './events.ts'
import { type EnclaveStatus, type SealedResult, statusResult, toKeyInfo } from './lifecycle.ts'
import { withWriteLock } from './lock.ts'
import { openSealed, readStatus } from './open-sealed.ts'
import { type CallOptions, callPlugin } from './plugin.ts'
import { revisionOf } from './schema.ts'
import type { AccountInfo, VaultSnapshot } from './snapshot.ts'
import type { StateBatch } from './storage.ts'
import { ACCOUNTS_CHANNEL, TabChannel, type TabMessage } from './tabs.ts'
import { VaultClient } from './vault-client.ts'

/**
 * What the parts of a key vault share: the client, the snapshot, the events, and the two ways to work on an account,
 * `call` and `mutate`.
 */
export class VaultCore {
  readonly client: VaultClient
  readonly config: VaultConfig
  readonly events: VaultEvents
  readonly #listeners = new Set<() => void>()
  readonly #blank: VaultSnapshot
  #snapshot: VaultSnapshot
  #attached: { enclave: Enclave; release: () => void } | undefined
  #channel: { address: string; tabs: TabChannel } | undefined
  #accounts: TabChannel | undefined
  #listings = 0
  #removing = false

  constructor(config: VaultConfig, dependencies: VaultDependencies, events: VaultEvents) {
    this.config = config
    this.events = events
    this.client = new VaultClient(config, dependencies, {
      expired: () => this.tokensChanged(),
      unreadable: ({ store, id }) => {
        const message = `A stored record (${id}) of the store "${store}" cannot be read. It was kept and left out.`
        this.#raise(new VaultError('OPERATION_FAILED', message, { store, id }), 'read')
      },
      released: (why) => {
        if (why === 'deleted') void this.#removedElsewhere()
        else {
          const message = 'Another tab runs a newer version of Keyhole. Reload this one.'
          this.fail(new VaultError('OPERATION_FAILED', message))
        }
      },
    })
    const chainId = config.chainId ?? DEFAULT_CHAIN_ID
    this.#blank = { phase: 'loading', chainId, keys: [], accounts: [], revision: 0, tokensVersion: 0 }
    this.#snapshot = this.#blank
  }

  get snapshot(): VaultSnapshot {
    return this.#snapshot
  }

  /** Whether accounts outlive the page. */
  get isPersistent(): boolean {
    return this.config.enablePersistence ?? true
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls an export, and parses what it returns. @throws VaultError of the client */
  async call<S extends GenericSchema>(
    name: EnclaveExport,
    input: unknown,
    output: S,
    failure: string,
    options?: CallOptions,
  ): Promise<InferOutput<S>> {
    return await callPlugin(this.client.enclave, name, input, output, failure, options)
  }

  /**
   * Changes the account: calls the export, stores the sealed state it returns (and what `prepare` makes of the result,
   * in the same transaction), and takes the change back where that fails. Alone among all writers of the account.
   */
  async mutate<S extends GenericSchema<unknown, SealedResult>>(
    name: EnclaveExport,
    input: unknown,
    output: S,
    failure: string,
    prepare?: (result: InferOutput<S>) => Promise<StateBatch>,
  ): Promise<InferOutput<S>> {
    const { enclave } = this.client
    const { address } = this.#snapshot
    if (address === undefined) throw noVault()
    return await withWriteLock(address, async () => {
      await this.#requireNewest(enclave)
      const result = await callPlugin(enclave, name, input, output, failure)
      try {
        await this.client.saveSealedState(result.enclave, await prepare?.(result))
      } catch (error) {
        await this.#takeBack(enclave, result.status)
        throw error
      }
      this.apply(result.status)
      return result
    })
  }

  /** Runs an operation: what it throws becomes the key-vault layer's error, and is raised as `vault:error`. */
  async guard<T>(operation: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const raised = toKeyVaultError(error)
      this.#raise(raised, operation)
      throw raised
    }
  }

  /** Raises `vault:error` for what failed beside an operation, and keeps it in the snapshot where nothing is open. */
  report(error: unknown, operation: string): void {
    const raised = toKeyVaultError(error)
    if (this.#snapshot.phase === 'empty') this.#set({ error: raised })
    this.#raise(raised, operation)
  }

  /** Reads the status again, and gives the enclave what is stored where it has lost it or is behind. */
  async follow(): Promise<void> {
    await this.#refresh(false)
  }

  /** Raises an event here and in the other tabs of the account. */
  announce<Name extends VaultEventName>(name: Name, detail: VaultEventMap[Name]): void {
    this.events.emit(name, detail)
    this.#channel?.tabs.post(name, detail)
  }

  /** The tokens have changed: readers look again, in every tab. */
  tokensChanged(): void {
    this.#set({ tokensVersion: this.#snapshot.tokensVersion + 1 })
    const { address } = this.#snapshot
    this.announce('vault:changed', { ...(address !== undefined && { address }), change: 'tokens' })
  }

  /** The list of accounts has changed, here and in every tab. */
  async accountsChanged(): Promise<void> {
    if (!this.isPersistent) return
    await this.refreshAccounts()
    this.events.emit('vault:changed', { change: 'accounts' })
    this.#accounts?.post('vault:changed', { change: 'accounts' })
  }

  async refreshAccounts(): Promise<void> {
    this.#listings += 1
    const listing = this.#listings
    const accounts = await this.listAccounts()
    // A listing that was overtaken by a later one may show what is gone by now.
    if (listing === this.#listings) this.#set({ accounts })
  }

  async listAccounts(): Promise<AccountInfo[]> {
    if (!this.isPersistent) return []
    const { address: active, label } = this.#snapshot
    const accounts: AccountInfo[] = []
    for (const { address, createdAt, lastAccessed } of await describeAccounts(this.client.openStorage)) {
      accounts.push({
        address,
        active: address === active,
        ...(createdAt !== undefined && { createdAt }),
        ...(lastAccessed !== undefined && { lastAccessed }),
        ...(address === active && label !== undefined && { label }),
      })
    }
    return accounts
  }

  /** After the client has changed its account: listens to the new one's enclave and tabs, and shows its status. */
  async attach(): Promise<EnclaveStatus> {
    const { enclave } = this.client
    if (this.#attached?.enclave !== enclave) {
      this.#attached?.release()
      this.#attached = { enclave, release: enclave.subscribe(() => void this.#refreshQuietly()) }
    }
    this.#accounts ??= new TabChannel(ACCOUNTS_CHANNEL, () => void this.#accountsElsewhere())
    const status = await readStatus(enclave)
    this.#listenTo(status.address ?? undefined)
    this.apply(status)
    return status
  }

  /** Shows the status, and raises `vault:locked` or `vault:unlocked` where it has changed between the two. */
  apply(status: EnclaveStatus, remote = false): void {
    const before = this.#snapshot
    const address = status.address ?? undefined
    const phase = !status.initialized ? 'empty' : status.locked ? 'locked' : 'unlocked'
    const keys = status.keys.map(toKeyInfo)
    const label = status.label || undefined
    const { chainId, tokensVersion } = before
    const accounts = before.accounts.map((account) => named(account, address, label))
    this.#show({
      phase,
      chainId: status.chain_id ?? chainId,
      keys,
      accounts,
      revision: status.revision ?? 0,
      tokensVersion,
      ...(address !== undefined && { address }),
      ...(status.issuer_did && { issuerDid: status.issuer_did }),
      ...(label !== undefined && { label }),
      ...(status.default_key && { defaultKey: status.default_key }),
    })
    if (address === undefined || phase === 'empty') return
    const detail = remote ? { address, remote } : { address }
    const same = before.address === address
    if (phase === 'locked' && same && before.phase === 'unlocked') this.#turn('vault:locked', detail)
    if (phase === 'unlocked' && !(same && before.phase === 'unlocked')) this.#turn('vault:unlocked', detail)
  }

  /** The vault could not be made ready. */
  fail(error: VaultError): void {
    this.#set({ phase: 'failed', error })
  }

  loading(): void {
    this.#show({
      ...this.#blank,
      accounts: this.#snapshot.accounts,
      tokensVersion: this.#snapshot.tokensVersion,
    })
  }

  /** Tells the other tabs of an account that this one has just left that it is locked. */
  tellLocked(address: string): void {
    const tabs = new TabChannel(address, () => undefined)
    tabs.post('vault:locked', { address })
    tabs.close()
  }

  /** Back to not initialised. */
  detach(): void {
    this.#attached?.release()
    this.#attached = undefined
    this.#listenTo(undefined)
    this.#accounts?.close()
    this.#accounts = undefined
    this.#show({ ...this.#blank, tokensVersion: this.#snapshot.tokensVersion })
  }

  #turn(name: 'vault:locked' | 'vault:unlocked', detail: { address: string; remote?: boolean }): void {
    // Another tab's turn is already known to all of them.
    if (detail.remote) this.events.emit(name, detail)
    else this.announce(name, detail)
  }

  #listenTo(address: string | undefined): void {
    if (this.#channel?.address === address) return
    this.#channel?.tabs.close()
    this.#channel =
      address === undefined
        ? undefined
        : { address, tabs: new TabChannel(address, (message) => void this.#hear(message)) }
  }

  async #hear({ name, detail }: TabMessage): Promise<void> {
    if (!this.client.isInitialized || this.#removing) return
    try {
      if (name === 'vault:changed' && detail.change === 'removed') return await this.#removedElsewhere()
      const { enclave } = this.client
      // One enclave for all tabs is locked already; one of our own has to follow.
      if (
        name === 'vault:locked' &&
        enclave.kind !== 'shared-worker' &&
        this.#snapshot.phase === 'unlocked'
      ) {
        await callPlugin(enclave, 'lock_vault', {}, statusResult, 'Failed to lock the vault')
      }
      await this.#refresh(true)
      if (name === 'vault:imported' || (name === 'vault:changed' && detail.change === 'tokens')) {
        this.#set({ tokensVersion: this.#snapshot.tokensVersion + 1 })
      }
    } catch (error) {
      this.#raise(toKeyVaultError(error), 'follow')
    }
    if (name !== 'vault:locked' && name !== 'vault:unlocked') {
      this.events.dispatchEvent(new CustomEvent(name, { detail: { ...detail, remote: true } }))
    }
  }

  async #accountsElsewhere(): Promise<void> {
    try {
      await this.refreshAccounts()
      this.events.emit('vault:changed', { change: 'accounts', remote: true })
    } catch (error) {
      this.#raise(toKeyVaultError(error), 'follow')
    }
  }

  /** The deletion itself tells, and so does the tab that asked for it: whichever comes first. */
  async #removedElsewhere(): Promise<void> {
    const { address } = this.#snapshot
    if (address === undefined || this.#removing) return
    this.#removing = true
    try {
      await this.client.releaseAccount()
      await this.attach()
      await this.refreshAccounts()
      this.events.emit('vault:changed', { address, change: 'removed', remote: true })
    } catch (error) {
      this.fail(toKeyVaultError(error))
    } finally {
      this.#removing = false
    }
  }

  /** Reads the status again; an enclave that has lost the account, or is behind what is stored, is given it anew. */
  async #refresh(remote: boolean): Promise<void> {
    const { enclave, sealedState } = this.client
    const stored = this.client.accountAddress === undefined ? sealedState : await this.client.newestState()
    const status = stored === undefined ? await readStatus(enclave) : await openSealed(enclave, stored)
    if (enclave === this.client.enclave) this.apply(status, remote)
  }

  async #refreshQuietly(): Promise<void> {
    if (!this.client.isInitialized || this.#snapshot.phase === 'loading' || this.#removing) return
    const { enclave } = this.client
    try {
      await this.#refresh(true)
    } catch (error) {
      // Of an account that this tab has left in the meantime, or is about to, nothing needs to be known.
      const left = !this.client.isInitialized || this.client.enclave !== enclave || this.#removing
      if (!left) this.fail(toKeyVaultError(error))
    }
  }

  /** Where each tab has its own enclave, another one may have moved on: writing over its change would lose it. */
  async #requireNewest(enclave: Enclave): Promise<void> {
    const stored = await this.client.newestState()
    if (stored === undefined) return
    const { revision } = await readStatus(enclave)
    if ((revisionOf(stored) ?? 0) <= (revision ?? 0)) return
    this.apply(await openSealed(enclave, stored))
    throw new VaultError(
      'VAULT_LOCKED',
      'Another tab has changed this account. Unlock it again, then repeat.',
    )
  }

  async #takeBack(enclave: Enclave, { revision }: EnclaveStatus): Promise<void> {
    try {
      const failure = 'Failed to take back an unsaved change'
      const { status } = await callPlugin(enclave, 'rollback_vault', { revision }, statusResult, failure)
      this.apply(status)
    } catch {
      // The enclave is then one revision ahead of the disk, which the next saved change makes good.
    }
  }

  #raise(error: VaultError, operation: string): void {
    const { address } = this.#snapshot
    const { code, message } = error
    this.announce('vault:error', { ...(address !== undefined && { address }), code, message, operation })
  }

  #set(change: Partial<VaultSnapshot>): void {
    this.#show({ ...this.#snapshot, ...change })
  }

  #show(snapshot: VaultSnapshot): void {
    this.#snapshot = Object.freeze(snapshot)
    for (const listener of [...this.#listeners]) listener()
  }
}

function named(account: AccountInfo, active: string | undefined, label: string | undefined): AccountInfo {
  const { label: _before, ...rest } = account
  const is = account.address === active
  return { ...rest, active: is, ...(is && label !== undefined && { label }) }
}

/** @returns the refusal of every operation that needs an account where there is none */
export function noVault(): VaultError {
  return new VaultError(
    'VAULT_NOT_INITIALIZED',
    'There is no vault open here. Create one, open one, or restore one from a backup.',
  )
}
