import type { VaultError } from '../base/errors.ts'
import type { KeyInfo } from '../enclave/enclave-status.ts'
import type { LostAccount } from '../storage/account/lost-accounts.ts'
import type { OpenTab } from './tabs/open-tabs.ts'

/** An account that this browser holds. */
export interface AccountInfo {
  readonly address: string
  /** Milliseconds since 1970; absent if the stored state can't be read. */
  readonly createdAt?: number
  readonly lastAccessed?: number
  /** The one that is open. */
  readonly active: boolean
  /** Only for the active account, while unlocked: labels are sealed. */
  readonly label?: string
  /** In a vault without storage: only this page has the account, and reloading or closing it deletes it. */
  readonly untilReload?: true
}

/**
 * - `uninitialized`: before `initialize` and after `cleanup`
 * - `loading`: starting
 * - `empty`: ready, with no account open
 * - `locked`, `unlocked`: an account is open
 * - `failed`: it couldn't start; `error` says why
 */
export type VaultPhase = 'uninitialized' | 'loading' | 'empty' | 'locked' | 'unlocked' | 'failed'

/** The vault at one moment. Immutable; the reference stays the same until something changes. */
export interface VaultSnapshot {
  readonly phase: VaultPhase
  /** With `failed`: why. With `empty`: why the last open account couldn't be opened. */
  readonly error?: VaultError
  readonly address?: string
  /** The account is open from its second copy, in memory: readable, but not changeable. */
  readonly fromCopy?: true
  readonly chainId: string
  readonly issuerDid?: string
  /** The person's name for the account; only while unlocked. */
  readonly label?: string
  readonly keys: readonly KeyInfo[]
  /** Id of the key that signs by default. */
  readonly defaultKey?: string
  readonly accounts: readonly AccountInfo[]
  /**
   * Accounts that were here and are gone, found before anything is opened. Bring one back with `restoreLost` or a
   * backup, or drop it with `forgetLost`.
   */
  readonly lost: readonly LostAccount[]
  /** The sealed state's revision; 0 without an account. */
  readonly revision: number
  /** Goes up with every change to the stored tokens, in any tab. */
  readonly tokensVersion: number
  /**
   * Milliseconds without use until the account locks; null: never. The stored setting applies once the account has been
   * unlocked here.
   */
  readonly autoLock: number | null
  /** When the account will lock (milliseconds since 1970), set during the last 20 s. `touch()` postpones it. */
  readonly locksAt?: number
  /** The tabs of this browser that have the account open, including this one, oldest first. */
  readonly tabs: readonly OpenTab[]
  /** The account that another tab closed here; `openAccount` opens it again. */
  readonly ended?: string
}
