import type { Enclave, EnclaveChange } from '@keyhole/enclave'
import { toKeyVaultError } from '../base/errors.ts'
import { raise } from '../base/events.ts'
import { hearPage } from '../base/page.ts'
import type { EnclaveStatus } from '../enclave/enclave-status.ts'
import { openSealed, readStatus } from '../enclave/open-sealed.ts'
import { callPlugin } from '../enclave/plugin.ts'
import type { VaultContext } from './context.ts'
import type { OpenTabs } from './open-tabs.ts'
import type { TabMessage } from './tabs.ts'

/** Keeps this tab with the enclave, the other tabs, and what they have stored. */
export class Following {
  readonly #context: VaultContext
  readonly #openTabs: OpenTabs
  readonly #page: EventTarget | undefined
  readonly #takeUp: () => Promise<void>
  #attached: { enclave: Enclave; release: () => void } | undefined
  #leavePage: (() => void) | undefined
  #removing = false

  /** @param takeUp opens the account that another tab has made or restored where this browser had none */
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

  /** After the client has changed its account: listens to the new one's enclave and tabs, and shows its status. */
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

  /** A lock is shown at once; what else there is to know of the account is asked for. */
  #enclaveChanged(change: EnclaveChange): void {
    if (change.kind === 'changed' && change.call === 'lock_vault') this.#context.showLocked()
    void this.#refreshQuietly()
  }

  /** Listens to nothing any more. */
  detach(): void {
    this.#attached?.release()
    this.#attached = undefined
    this.#leavePage?.()
    this.#leavePage = undefined
    this.#listenTo(undefined)
    this.#context.channels.leaveAccounts()
  }

  /** Tells the other tabs of an account that this one has just left that it is locked. */
  tellLocked(address: string): void {
    this.#context.autoLock.forget(address)
    this.#context.channels.postLocked(address)
  }

  /** The deletion itself tells, and so does the tab that asked for it: whichever comes first. */
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

  /** Another tab has ended this one's place: the account is let go of at once, and stays as it is in the others. */
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

  /** Reads the status again; an enclave that has lost the account, or is behind what is stored, is given it anew. */
  async refresh(remote: boolean): Promise<void> {
    const { enclave, sealedState } = this.#context.client
    const stored =
      this.#context.client.accountAddress === undefined
        ? sealedState
        : await this.#context.client.newestState()
    const status = stored === undefined ? await readStatus(enclave) : await openSealed(enclave, stored)
    if (enclave === this.#context.client.enclave) this.#context.apply(status, remote)
  }

  #listenTo(address: string | undefined): void {
    // Accounts that do not outlive their page are in one tab each. One that is joined already stays so.
    if (address !== undefined && this.#context.isPersistent) this.#openTabs.join(address)
    else this.#openTabs.leave()
    this.#context.channels.joinAccount(address, (message) => void this.#hear(message))
  }

  async #hear({ name, detail }: TabMessage): Promise<void> {
    if (!this.#context.client.isInitialized || this.#removing) return
    if (name === 'used') {
      if (detail.address === this.#context.snapshot.address) this.#context.autoLock.heard(detail.at)
      return
    }
    try {
      if (name === 'vault:changed' && detail.change === 'removed') return await this.removedElsewhere()
      const { enclave } = this.#context.client
      // One enclave for all tabs is locked already; one of our own has to follow.
      if (
        name === 'vault:locked' &&
        enclave.kind !== 'shared-worker' &&
        this.#context.snapshot.phase === 'unlocked'
      ) {
        await callPlugin(enclave, 'lock_vault', {}, 'Failed to lock the vault')
      }
      await this.refresh(true)
      if (name === 'vault:imported' || (name === 'vault:changed' && detail.change === 'tokens')) {
        this.#context.readTokensAgain()
      }
    } catch (error) {
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
      raise(this.#context.events, 'vault:changed', { change: 'accounts', remote: true })
      if (hadNone) await this.#takeUp()
    } catch (error) {
      this.#context.raise(toKeyVaultError(error), 'follow')
    }
  }

  async #refreshQuietly(): Promise<void> {
    if (!this.#context.client.isInitialized || this.#context.snapshot.phase === 'loading' || this.#removing)
      return
    const { enclave } = this.#context.client
    try {
      await this.refresh(true)
    } catch (error) {
      // Of an account that this tab has left in the meantime, or is about to, nothing needs to be known.
      const left =
        !this.#context.client.isInitialized || this.#context.client.enclave !== enclave || this.#removing
      if (!left) this.#context.fail(toKeyVaultError(error))
    }
  }

  /** A page that was hidden, frozen or put aside may have missed what other tabs said. */
  async #pageIsBack(): Promise<void> {
    if (await this.#context.autoLock.check()) return
    if (!this.#context.client.isInitialized || this.#context.snapshot.phase === 'loading' || this.#removing)
      return
    await this.refresh(true).catch((error) => this.#context.raise(toKeyVaultError(error), 'follow'))
  }
}
