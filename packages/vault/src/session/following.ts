import type { Enclave, EnclaveChange } from '@keyhole/enclave'
import { toKeyVaultError, type VaultError } from '../base/errors.ts'
import { raise } from '../base/events.ts'
import { hearPage } from '../base/page.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import { openSealed, readStatus } from '../enclave/open-sealed.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { VaultContext } from './context.ts'
import type { OpenTabs } from './tabs/open-tabs.ts'
import type { TabMessage } from './tabs/tabs.ts'

/** Keeps this tab up to date with the enclave, the other tabs and the stored data. */
export class Following {
  readonly #context: VaultContext
  readonly #openTabs: OpenTabs
  readonly #page: EventTarget | undefined
  readonly #takeUp: () => Promise<void>
  #attached: { enclave: Enclave; release: () => void } | undefined
  #leavePage: (() => void) | undefined
  #removing = false
  /** The last reading for news from elsewhere. */
  #reading: Promise<void> = Promise.resolve()
  /** The same, as long as it has not begun. */
  #nextReading: Promise<void> | undefined

  /** @param takeUp opens an account that another tab created or restored, if this browser had none */
  constructor(
    context: VaultContext,
    openTabs: OpenTabs,
    page: EventTarget | undefined,
    takeUp: () => Promise<void>,
  ) {
    this.#context = context
    this.#openTabs = openTabs
    this.#page = page
    this.#takeUp = takeUp
  }

  /** After the client changed accounts: listens to the new one's enclave and tabs, and shows its status. */
  async attach(): Promise<EnclaveStatus> {
    const { enclave } = this.#context.client
    if (this.#attached?.enclave !== enclave) {
      this.#attached?.release()
      this.#attached = { enclave, release: enclave.subscribe((change) => this.#enclaveChanged(change)) }
    }
    this.#leavePage ??= hearPage(this.#page, () => void this.#pageIsBack())
    this.#context.channels.joinAccounts(() => void this.#accountsElsewhere())
    const status = await readStatus(enclave)
    this.#listenTo(status.address ?? undefined)
    this.#context.apply(status)
    return status
  }

  /** Shows a lock at once, then reads the rest of the account's status. */
  #enclaveChanged(change: EnclaveChange): void {
    if (change.kind === 'changed' && change.call === 'lock_vault') this.#context.showLocked()
    void this.#refreshQuietly()
  }

  /** Stops listening. */
  detach(): void {
    this.#attached?.release()
    this.#attached = undefined
    this.#leavePage?.()
    this.#leavePage = undefined
    this.#listenTo(undefined)
    this.#context.channels.leaveAccounts()
  }

  /** Tells the other tabs of an account this tab has just left that it is locked. */
  tellLocked(address: string): void {
    this.#context.autoLock.forget(address)
    this.#context.channels.postLocked(address)
  }

  /** Both the deleted database and the tab that deleted it report this; the first one counts. */
  async removedElsewhere(): Promise<void> {
    const { address } = this.#context.snapshot
    if (address === undefined || this.#removing) return
    this.#removing = true
    try {
      await this.#context.client.releaseAccount()
      await this.attach()
      await this.#context.refreshAccounts()
      raise(this.#context.events, 'vault:changed', { address, change: 'removed', remote: true })
    } catch (error) {
      this.#context.fail(toKeyVaultError(error))
    } finally {
      this.#removing = false
    }
  }

  /** Another tab ended this one: leave the account at once. It stays as it is in the other tabs. */
  async endedElsewhere(address: string): Promise<void> {
    if (this.#context.snapshot.address !== address || this.#removing) return
    this.#removing = true
    this.#context.showEnded(address)
    try {
      await this.#context.client.leaveAccount()
      await this.attach()
      await this.#context.refreshAccounts()
      raise(this.#context.events, 'vault:changed', { address, change: 'ended', remote: true })
    } catch (error) {
      this.#context.fail(toKeyVaultError(error))
    } finally {
      this.#removing = false
    }
  }

  /**
   * Reads the status again. An enclave that lost the account, or is behind the stored state, gets the stored state
   * again.
   */
  async refresh(remote: boolean): Promise<void> {
    const { enclave, sealedState } = this.#context.client
    const stored =
      this.#context.client.accountAddress === undefined
        ? sealedState
        : await this.#context.client.newestState()
    const status = stored === undefined ? await readStatus(enclave) : await openSealed(enclave, stored)
    if (enclave === this.#context.client.enclave) this.#context.apply(status, remote)
  }

  /**
   * Like `refresh`, for news from elsewhere. What comes while the status is being read is read once afterwards, for all.
   */
  #readNews(): Promise<void> {
    if (this.#nextReading) return this.#nextReading
    const next = this.#reading.then(async () => {
      this.#nextReading = undefined
      // Left in the meantime.
      if (this.#isOpen) await this.refresh(true)
    })
    this.#nextReading = next
    this.#reading = next.catch(() => undefined)
    return next
  }

  #listenTo(address: string | undefined): void {
    // An account without persistence lives in one tab only. Joining the same account again does nothing.
    if (address !== undefined && this.#context.isPersistent) this.#openTabs.join(address)
    else this.#openTabs.leave()
    this.#context.channels.joinAccount(address, (message) => void this.#hear(message))
  }

  async #hear({ name, detail }: TabMessage): Promise<void> {
    if (!this.#isOpen) return
    if (name === 'used') {
      if (detail.address === this.#context.snapshot.address) this.#context.autoLock.heard(detail.at)
      return
    }
    const { enclave } = this.#context.client
    try {
      if (name === 'vault:changed' && detail.change === 'removed') return await this.removedElsewhere()
      // A shared enclave is locked already; this tab's own one has to follow.
      if (
        name === 'vault:locked' &&
        enclave.kind !== 'shared-worker' &&
        this.#context.snapshot.phase === 'unlocked'
      ) {
        await callPlugin(enclave, 'lock_vault', {}, 'Failed to lock the vault')
      }
      await this.#readNews()
      if (name === 'vault:imported' || (name === 'vault:changed' && detail.change === 'tokens')) {
        this.#context.readTokensAgain()
      }
    } catch (error) {
      if (this.#hasLeft(enclave)) return
      this.#context.raise(toKeyVaultError(error), 'follow')
    }
    if (name !== 'vault:locked' && name !== 'vault:unlocked') {
      this.#context.events.dispatchEvent(new CustomEvent(name, { detail: { ...detail, remote: true } }))
    }
  }

  async #accountsElsewhere(): Promise<void> {
    const hadNone = this.#context.snapshot.accounts.length === 0
    try {
      await this.#context.refreshAccounts()
      if (!this.#isOpen) return
      raise(this.#context.events, 'vault:changed', { change: 'accounts', remote: true })
      if (hadNone) await this.#takeUp()
    } catch (error) {
      if (this.#isOpen) this.#context.raise(toKeyVaultError(error), 'follow')
    }
  }

  async #refreshQuietly(): Promise<void> {
    await this.#readIfOpen((error) => this.#context.fail(error))
  }

  /** A page that was hidden, frozen or cached may have missed messages from other tabs. */
  async #pageIsBack(): Promise<void> {
    if (await this.#context.autoLock.check()) return
    await this.#readIfOpen((error) => this.#context.raise(error, 'follow'))
  }

  /** Reads news for the open account. If this tab has left it meanwhile, or is about to, an error doesn't matter. */
  async #readIfOpen(failed: (error: VaultError) => void): Promise<void> {
    if (!this.#isOpen || this.#context.snapshot.phase === 'loading') return
    const { enclave } = this.#context.client
    try {
      await this.#readNews()
    } catch (error) {
      if (!this.#hasLeft(enclave)) failed(toKeyVaultError(error))
    }
  }

  get #isOpen(): boolean {
    return this.#context.client.isInitialized && !this.#removing
  }

  /** True if the account of an enclave is no longer this tab's, or won't be soon. */
  #hasLeft(enclave: Enclave): boolean {
    return !this.#isOpen || this.#context.client.enclave !== enclave
  }
}
