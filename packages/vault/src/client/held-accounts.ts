import { refused } from '../base/errors.ts'

/** An account that only this page has. Times in milliseconds since 1970. */
export interface HeldAccount {
  readonly address: string
  readonly createdAt: number
  /** When its state was last written, or it was last opened. */
  readonly lastAccessed: number
}

/**
 * The accounts of a vault without storage: their sealed states, in memory, until the page is reloaded or the vault is
 * closed.
 */
export class HeldAccounts {
  readonly #accounts = new Map<string, HeldAccount & { readonly sealed: string }>()

  list(): HeldAccount[] {
    return [...this.#accounts.values()].map(({ sealed: _, ...account }) => account)
  }

  has(address: string): boolean {
    return this.#accounts.has(address)
  }

  /** An account's sealed state; undefined if it isn't held. */
  sealedOf(address: string): string | undefined {
    return this.#accounts.get(address)?.sealed
  }

  /** Holds an account's state, replacing an earlier one. */
  hold(address: string, sealed: string, now: number): void {
    const createdAt = this.#accounts.get(address)?.createdAt ?? now
    this.#accounts.set(address, { address, sealed, createdAt, lastAccessed: now })
  }

  /** @throws VaultError OPERATION_FAILED if the account is already held */
  requireNew(address: string): void {
    if (!this.#accounts.has(address)) return
    throw refused('AccountInPage')
  }

  forget(address: string): void {
    this.#accounts.delete(address)
  }

  clear(): void {
    this.#accounts.clear()
  }
}
