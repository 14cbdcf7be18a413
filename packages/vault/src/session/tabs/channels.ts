import type { VaultEventMap, VaultEventName } from '../../base/events.ts'
import { ACCOUNTS_CHANNEL, TabChannel, type TabMessage } from './tabs.ts'

/** Messages between tabs: the events of the open account, and that the list of accounts changed. */
export class Channels {
  #account: { readonly address: string; readonly tabs: TabChannel } | undefined
  #accounts: TabChannel | undefined

  /** Leaves the previous account and joins this one; undefined: none. Joining the same account again does nothing. */
  joinAccount(address: string | undefined, hear: (message: TabMessage) => void): void {
    if (this.#account?.address === address) return
    this.#account?.tabs.close()
    this.#account = address === undefined ? undefined : { address, tabs: new TabChannel(address, hear) }
  }

  /** Listens for changes to the list of accounts. */
  joinAccounts(changed: () => void): void {
    this.#accounts ??= new TabChannel(ACCOUNTS_CHANNEL, changed)
  }

  leaveAccounts(): void {
    this.#accounts?.close()
    this.#accounts = undefined
  }

  /** Tells the other tabs of the account. */
  post<Name extends VaultEventName>(name: Name, detail: VaultEventMap[Name]): void {
    this.#account?.tabs.post(name, detail)
  }

  /** Tells the other tabs when a person used the account, in milliseconds since 1970. */
  postUse(usedAt: number): void {
    this.#account?.tabs.postUse(this.#account.address, usedAt)
  }

  /** Tells every other tab that the list of accounts changed. */
  postAccounts(): void {
    this.#accounts?.post('vault:changed', { change: 'accounts' })
  }

  /** Tells the other tabs of an account this tab has just left that it is locked. */
  postLocked(address: string): void {
    const tabs = new TabChannel(address, () => undefined)
    tabs.post('vault:locked', { address })
    tabs.close()
  }
}
