import type { VaultError } from '../base/errors.ts'
import type { KeyInfo } from '../enclave/enclave-status.ts'
import type { LostAccount } from '../storage/account/lost-accounts.ts'
import type { OpenTab } from './open-tabs.ts'

/** An account that this browser holds. */
export interface AccountInfo {
  readonly address: string
  /** Milliseconds since 1970; absent where the stored state cannot be read. */
  readonly createdAt?: number
  readonly lastAccessed?: number
  /** The one that is open. */
  readonly active: boolean
  /** Only of the active account, while unlocked: labels are sealed. */
  readonly label?: string
  /** Of a vault without storage: this page alone has the account, and it is gone when that is loaded anew or closed. */
  readonly untilReload?: true
}

/**
 * - `uninitialized`: not initialised: before `initialize`, and after `cleanup`
 * - `loading`: on the way
 * - `empty`: ready, and no account is open
 * - `locked`, `unlocked`: an account is open
 * - `failed`: it could not be made ready; `error` says why
 */
export type VaultPhase = 'uninitialized' | 'loading' | 'empty' | 'locked' | 'unlocked' | 'failed'

/** The vault at one moment. Immutable, and the same reference until something changes. */
export interface VaultSnapshot {
  readonly phase: VaultPhase
  /** With `failed`: why. With `empty`: why the account that was open last could not be opened. */
  readonly error?: VaultError
  readonly address?: string
  /** The account is open from its second copy, in memory: all of it can be read, and nothing changed. */
  readonly fromCopy?: true
  readonly chainId: string
  readonly issuerDid?: string
  /** What the person calls the account; only while unlocked. */
  readonly label?: string
  readonly keys: readonly KeyInfo[]
  /** Id of the key that signs where none is named. */
  readonly defaultKey?: string
  readonly accounts: readonly AccountInfo[]
  /** Accounts that were here and are gone, found before anything is opened: `restoreLost`, a backup, or `forgetLost`. */
  readonly lost: readonly LostAccount[]
  /** The sealed state's revision; 0 without an account. */
  readonly revision: number
  /** Rises with every change to the stored tokens, in any tab. */
  readonly tokensVersion: number
  /** Milliseconds without use until the account locks itself; null: never. As set, once it has been unlocked here. */
  readonly autoLock: number | null
  /** When the account will lock itself (milliseconds since 1970): there in the last 20 s before. `touch()` puts it off. */
  readonly locksAt?: number
  /** The tabs of this browser that have the account open, this one among them, the one opened first in front. */
  readonly tabs: readonly OpenTab[]
  /** The account that another tab has ended here; `openAccount` leads back to it. */
  readonly ended?: string
}
