import type { Enclave, EnclaveAnswer, EnclaveExport, EnclaveInput, UnlockProofInput } from '@keyhole/enclave'
import type { ActivityLog } from '../activity/activity-log.ts'
import type { Clock } from '../base/clock.ts'
import { DEFAULT_CHAIN_ID, type VaultConfig } from '../base/config.ts'
import { noVault, refused, toKeyVaultError, VaultError } from '../base/errors.ts'
import {
  raise,
  type VaultChange,
  type VaultEventMap,
  type VaultEventName,
  type VaultEvents,
} from '../base/events.ts'
import type { VaultClient } from '../client/vault-client.ts'
import { type EnclaveStatus, toKeyInfo } from '../enclave/enclave-status.ts'
import { forgetDevices } from '../enclave/needs-devices.ts'
import { readStatus } from '../enclave/open-sealed.ts'
import { type CallOptions, callPlugin } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import { removeUnmade, surveyAccounts } from '../storage/account/account-list.ts'
import type { LostAccount } from '../storage/account/lost-accounts.ts'
import type { StoreName } from '../storage/schema.ts'
import { laterThan } from '../storage/sealed-metadata.ts'
import { type UnlockProof, unlockProofInput } from '../unlock/unlock-proof.ts'
import type { Attempts } from './attempts.ts'
import { type AutoLock, DEFAULT_AUTO_LOCK } from './auto-lock.ts'
import type { AccountInfo, VaultSnapshot } from './snapshot.ts'
import type { Channels } from './tabs/channels.ts'
import type { OpenTab } from './tabs/open-tabs.ts'

const NOTHING = { lost: [], revision: 0, tokensVersion: 0, tabs: [] }

/** What a context is made of. */
export type ContextParts = Pick<
  VaultContext,
  'client' | 'config' | 'events' | 'clock' | 'log' | 'autoLock' | 'channels'
> & {
  readonly attempts: Attempts
  /** Operations that the log records, including refusals. */
  readonly acts: ReadonlySet<string>
}

/**
 * What the parts of a key vault share: the client, the snapshot and the events. They read an account with `call` and
 * change it through `changes`.
 */
export class VaultContext {
  readonly client: VaultClient
  readonly config: VaultConfig
  readonly events: VaultEvents
  readonly clock: Clock
  readonly log: ActivityLog
  readonly autoLock: AutoLock
  /** Messages to the other tabs. */
  readonly channels: Channels
  readonly #attempts: Attempts
  readonly #acts: ReadonlySet<string>
  readonly #listeners = new Set<() => void>()
  readonly #blank: VaultSnapshot
  #snapshot: VaultSnapshot
  #listings = 0
  /** How many operations on the client's account this layer is running; it announces them itself. */
  #leading = 0

  constructor(parts: ContextParts) {
    this.client = parts.client
    this.config = parts.config
    this.events = parts.events
    this.clock = parts.clock
    this.log = parts.log
    this.autoLock = parts.autoLock
    this.channels = parts.channels
    this.#attempts = parts.attempts
    this.#acts = parts.acts
    const chainId = this.config.chainId ?? DEFAULT_CHAIN_ID
    this.#blank = {
      phase: 'uninitialized',
      chainId,
      keys: [],
      accounts: [],
      ...NOTHING,
      autoLock: DEFAULT_AUTO_LOCK,
    }
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

  /** Calls an export. @throws VaultError of the client */
  async call<Name extends EnclaveExport>(
    name: Name,
    input: EnclaveInput<Name>,
    failure: string,
    options?: CallOptions,
  ): Promise<EnclaveAnswer<Name>> {
    return await callPlugin(this.client.enclave, name, input, failure, options)
  }

  /**
   * Makes a call that checks a secret of an account. The caller holds the account's write lock.
   * @throws VaultError OPERATION_FAILED with `details.retryAt` if it is too soon after wrong attempts
   */
  async prove<T>(
    address: string,
    proof: UnlockProof,
    call: (input: UnlockProofInput) => Promise<T>,
  ): Promise<T> {
    const isWrong = (error: unknown) =>
      error instanceof VaultError && error.details?.code === 'INVALID_PASSPHRASE'
    const input = unlockProofInput(proof)
    const attempt = this.#attempts.begin(address)
    return await attempt.outcome(call(input), isWrong)
  }

  /** When the open account's metadata under a key is written: see `laterThan`. The caller holds the write lock. */
  async laterThanStored(key: string): Promise<number> {
    return laterThan(await this.client.openStorage?.readMetadataOf(key), this.clock.now())
  }

  /** Runs an operation on the client's account that this layer announces itself. */
  async lead<T>(work: () => Promise<T>): Promise<T> {
    this.#leading += 1
    try {
      return await work()
    } finally {
      this.#leading -= 1
    }
  }

  /** Whether the client is running an operation that this layer announces itself. */
  get isLeading(): boolean {
    return this.#leading > 0
  }

  /** @throws VaultError VAULT_NOT_INITIALIZED, VAULT_LOCKED */
  requireUnlocked(): void {
    if (this.#snapshot.address === undefined) throw noVault()
    if (this.#snapshot.phase === 'unlocked') return
    throw refused('VaultLocked')
  }

  /**
   * Runs an operation: errors become the key-vault layer's and are raised as `vault:error`. If the account's time is
   * up, or another tab has locked it, it is locked first.
   */
  async guard<T>(operation: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Another account may be open by the time that it fails.
    const { address } = this.#snapshot
    try {
      if (operation !== 'lock' && this.autoLock.isDue) {
        await this.autoLock.check()
        if (this.autoLock.isDue && operation !== 'unlock' && this.#acts.has(operation)) throw notLockedError()
      }
      return await work()
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const raised = toKeyVaultError(error)
      this.#noteRefusal(address, operation, raised)
      this.raise(raised, operation, address)
      throw raised
    }
  }

  /** Raises `vault:error` for a failure outside an operation, and keeps it in the snapshot if no account is open. */
  report(error: unknown, operation: string): void {
    const raised = toKeyVaultError(error)
    if (this.#snapshot.phase === 'empty') this.#set({ error: raised })
    this.raise(raised, operation)
  }

  /** Milliseconds without use until the account locks itself; null: never. */
  setAutoLock(milliseconds: number | null): void {
    this.autoLock.limit = milliseconds
    if (this.#snapshot.autoLock !== milliseconds) this.#set({ autoLock: milliseconds })
  }

  /**
   * Resets the enclave to the stored state, locked, so that the next write doesn't include a change that couldn't be
   * saved. If the database has lost a payment that was already handed out, the enclave keeps its own state and is only
   * locked.
   */
  async reopen(enclave: Enclave): Promise<void> {
    try {
      const stored = await this.client.newestState()
      // An account that was left is already locked at its stored state.
      if (stored === undefined || !this.client.holds(enclave)) return
      const failure = 'Failed to take back an unsaved change'
      const { settled, locked } = await readStatus(enclave)
      const isLost = (settled ?? 0) > (revisionOf(stored) ?? 0)
      if (isLost && locked) return
      if (!isLost) await callPlugin(enclave, 'close_vault', {}, failure)
      const { status } = isLost
        ? await callPlugin(enclave, 'lock_vault', {}, failure)
        : await callPlugin(enclave, 'open_vault', { enclave: stored }, failure)
      if (this.client.holds(enclave)) this.apply(status)
    } catch (error) {
      this.report(error, 'lock')
    }
  }

  /** Forgets what is stored next to a removed account. */
  forget(address: string): void {
    this.#attempts.forget(address)
    this.autoLock.forget(address)
    this.log.forget(address)
    this.client.forgetClock(address)
    forgetDevices(address)
  }

  /** Forgets wrong attempts, because the account was opened another way. */
  forgiveAttempts(address: string): void {
    this.#attempts.forget(address)
  }

  /** Raises an event here and in the other tabs of the account. */
  announce<Name extends VaultEventName>(name: Name, detail: VaultEventMap[Name]): void {
    raise(this.events, name, detail)
    this.channels.post(name, detail)
  }

  /** Announces a change to the active account, so that readers in every tab read again. */
  changed(change: VaultChange): void {
    const { address } = this.#snapshot
    this.announce('vault:changed', { ...(address !== undefined && { address }), change })
  }

  /** Like `changed`, for the stored tokens, which readers in this tab read again too. */
  tokensChanged(): void {
    this.readTokensAgain()
    this.changed('tokens')
  }

  /** The list of accounts changed, here and in every tab. */
  async accountsChanged(): Promise<void> {
    try {
      await this.refreshAccounts()
    } catch (error) {
      // IndexedDB failed, so the accounts are unknown. The change itself is done.
      this.#set({ accounts: [], lost: [] })
      this.report(error, 'listAccounts')
    }
    raise(this.events, 'vault:changed', { change: 'accounts' })
    if (this.isPersistent) this.channels.postAccounts()
  }

  async refreshAccounts(): Promise<void> {
    this.#listings += 1
    const listing = this.#listings
    const survey = await this.#survey()
    // Drops a listing if a later one has started: it may show what is gone by now.
    if (listing === this.#listings) this.#set(survey)
  }

  async listAccounts(): Promise<AccountInfo[]> {
    return (await this.#survey()).accounts
  }

  async #survey(): Promise<{ accounts: AccountInfo[]; lost: readonly LostAccount[] }> {
    const survey = this.isPersistent
      ? await surveyAccounts(this.client.openStorage)
      : { accounts: this.client.heldAccounts, lost: [], unmade: [] }
    const { address: active, label } = this.#snapshot
    const accounts: AccountInfo[] = []
    for (const { address, createdAt, lastAccessed } of survey.accounts) {
      accounts.push({
        address,
        active: address === active,
        ...(createdAt !== undefined && { createdAt }),
        ...(lastAccessed !== undefined && { lastAccessed }),
        ...(address === active && label !== undefined && { label }),
        ...(!this.isPersistent && { untilReload: true as const }),
      })
    }
    for (const address of survey.unmade) await removeUnmade(address).catch(() => undefined)
    return { accounts, lost: survey.lost }
  }

  /** Shows the status, and raises `vault:locked` or `vault:unlocked` if that changed. */
  apply(status: EnclaveStatus, remote = false): void {
    const before = this.#snapshot
    const address = status.address ?? undefined
    const phase = !status.initialized ? 'empty' : status.locked ? 'locked' : 'unlocked'
    const keys = status.keys.map(toKeyInfo)
    const label = status.label || undefined
    const { chainId, lost, tokensVersion, autoLock, locksAt, tabs, ended } = before
    const accounts = before.accounts.map((account) => named(account, address, label))
    this.#show({
      phase,
      chainId: status.chain_id ?? chainId,
      keys,
      accounts,
      lost,
      revision: status.revision ?? 0,
      tokensVersion,
      autoLock,
      tabs,
      ...(address === undefined && ended !== undefined && { ended }),
      ...(phase === 'unlocked' && locksAt !== undefined && { locksAt }),
      ...(address !== undefined && { address }),
      ...(this.client.isCopy && this.client.accountAddress === address && { fromCopy: true as const }),
      ...(status.issuer_did && { issuerDid: status.issuer_did }),
      ...(label !== undefined && { label }),
      ...(status.default_key && { defaultKey: status.default_key }),
    })
    this.#watch(before, phase === 'unlocked' ? address : undefined)
    this.#tellLeft(before, address)
    if (address === undefined || phase === 'empty') return
    const detail = remote ? { address, remote } : { address }
    const same = before.address === address
    if (phase === 'locked' && same && before.phase === 'unlocked') this.#turn('vault:locked', detail)
    if (phase === 'unlocked' && !(same && before.phase === 'unlocked')) this.#turn('vault:unlocked', detail)
  }

  /** Another tab locked the account in the shared enclave. */
  showLocked(): void {
    const { phase, address, chainId, revision, keys, issuerDid, defaultKey } = this.#snapshot
    if (phase !== 'unlocked' || address === undefined) return
    const status = {
      ...{ initialized: true, locked: true, address, chain_id: chainId, revision },
      keys: keys.map(({ label: _, ...key }) => key),
      ...(issuerDid !== undefined && { issuer_did: issuerDid }),
      ...(defaultKey !== undefined && { default_key: defaultKey }),
    }
    this.apply(status, true)
  }

  /** The vault could not be made ready. */
  fail(error: VaultError): void {
    this.#set({ phase: 'failed', error })
  }

  loading(): void {
    this.#show({
      ...this.#blank,
      phase: 'loading',
      accounts: this.#snapshot.accounts,
      lost: this.#snapshot.lost,
      tokensVersion: this.#snapshot.tokensVersion,
    })
  }

  /** Back to not initialised. */
  detach(): void {
    const before = this.#snapshot
    this.autoLock.end()
    this.#show({ ...this.#blank, tokensVersion: before.tokensVersion })
    this.#tellLeft(before, undefined)
  }

  /** The stored tokens changed: readers in this tab read again. */
  readTokensAgain(): void {
    this.#set({ tokensVersion: this.#snapshot.tokensVersion + 1 })
  }

  /** Raises `vault:error` here and in the other tabs. @param address of the account that it is about */
  raise(error: VaultError, operation: string, address = this.#snapshot.address): void {
    const { code, message } = error
    this.announce('vault:error', { ...(address !== undefined && { address }), code, message, operation })
  }

  /** Reports a stored record that can't be read. */
  raiseUnreadable(store: StoreName, id: string): void {
    this.raise(refused('RecordUnreadable', { store, id }, { details: { store, id } }), 'read')
  }

  /** Raises `vault:locked` when this tab leaves an unlocked account, whatever its state in other tabs. */
  #tellLeft({ address, phase }: VaultSnapshot, now: string | undefined): void {
    if (phase === 'unlocked' && address !== undefined && address !== now)
      raise(this.events, 'vault:locked', { address })
  }

  /** An account seen going from locked to unlocked starts its time now; any other continues from its last use. */
  #watch(before: VaultSnapshot, unlocked: string | undefined): void {
    if (unlocked === undefined) this.autoLock.end()
    else if (before.address === unlocked && before.phase === 'locked') this.autoLock.begin(unlocked)
    else if (before.address !== unlocked || before.phase !== 'unlocked') this.autoLock.resume(unlocked)
  }

  /** Another tab ended this tab's use of the account. Shown at once, while this tab is still leaving. */
  showEnded(address: string): void {
    this.#set({ ended: address })
  }

  /** Shows which tabs have the account open. */
  showTabs(tabs: readonly OpenTab[]): void {
    if (JSON.stringify(tabs) === JSON.stringify(this.#snapshot.tabs)) return
    this.#set({ tabs })
  }

  /** The account will lock at that time (milliseconds since 1970); undefined: not soon. */
  warn(locksAt: number | undefined): void {
    if (this.#snapshot.locksAt === locksAt) return
    const { locksAt: _before, ...rest } = this.#snapshot
    this.#show({ ...rest, ...(locksAt !== undefined && { locksAt }) })
  }

  #noteRefusal(address: string | undefined, operation: string, { code, details }: VaultError): void {
    if (address === undefined || !this.#acts.has(operation)) return
    const about = {
      ...(details?.name !== undefined && { name: details.name }),
      ...(details?.cid !== undefined && { cid: details.cid }),
    }
    this.log.note(address, { act: operation, outcome: code, ...(Object.keys(about).length > 0 && { about }) })
  }

  #turn(name: 'vault:locked' | 'vault:unlocked', detail: { address: string; remote?: boolean }): void {
    // The other tabs already know about another tab's event.
    if (detail.remote) raise(this.events, name, detail)
    else this.announce(name, detail)
  }

  #set(change: Partial<VaultSnapshot>): void {
    this.#show({ ...this.#snapshot, ...change })
  }

  #show(snapshot: VaultSnapshot): void {
    this.#snapshot = Object.freeze(snapshot)
    for (const listener of [...this.#listeners]) listener()
  }
}

/** An account whose time is up does nothing more, even if the enclave fails to lock. */
function notLockedError(): VaultError {
  return refused('LockFailed')
}

function named(account: AccountInfo, active: string | undefined, label: string | undefined): AccountInfo {
  const { label: _before, ...rest } = account
  const is = account.address === active
  return { ...rest, active: is, ...(is && label !== undefined && { label }) }
}
