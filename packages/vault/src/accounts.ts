import { describeLost, knownAccounts, type LostAccount } from './lost-accounts.ts'
import { inTime } from './mirror-files.ts'
import type { StateRecord } from './schema.ts'
import { type AccountStorage, listDatabases, readStoredState } from './storage.ts'

/** An account that has a database here. */
export interface StoredAccount {
  readonly address: string
  /** Milliseconds since 1970; absent where its state cannot be read. */
  readonly createdAt?: number
  readonly lastAccessed?: number
}

export interface AccountSurvey {
  /** Those that are stored here. */
  readonly accounts: readonly StoredAccount[]
  /** Those that were, and are gone. */
  readonly lost: readonly LostAccount[]
}

/** How long IndexedDB may take to tell what is there, in milliseconds, before it is taken for broken. */
const PATIENCE = 5000

/**
 * What is stored here and what is lost, without anyone's passphrase, and without making a database of what is gone.
 *
 * @param open the database that is open, which is then not opened again
 * @throws VaultError OPERATION_FAILED where IndexedDB does not tell, and no account is known to have been here
 */
export async function surveyAccounts(open?: AccountStorage): Promise<AccountSurvey> {
  const known = new Map((await knownAccounts()).map((account) => [account.address, account]))
  const stored = await inTime(listDatabases(), PATIENCE).catch((error: unknown) => {
    // An IndexedDB that says nothing is as good as an empty one: nobody is taken for a new user.
    if (known.size === 0) throw error
    return undefined
  })
  const accounts: StoredAccount[] = []
  const lost: LostAccount[] = []
  for (const address of new Set([...(stored ?? []), ...known.keys()].sort())) {
    const there = stored === undefined || stored.includes(address)
    const reading = there ? inTime(readAccount(address, open), PATIENCE) : Promise.resolve(undefined)
    let unreadable = false
    const state = await reading.catch(() => {
      unreadable = true
      return undefined
    })
    const account = known.get(address)
    if (state) accounts.push({ address, createdAt: state.createdAt, lastAccessed: state.lastAccessed })
    else if (account) lost.push(await describeLost(account))
    // One without a state that nobody knows of is left out: a tab was killed while it made it, and nothing was made.
    if (unreadable && stored !== undefined) accounts.push({ address })
  }
  return { accounts, lost }
}

/** The stored state of an account, open or not. @throws VaultError OPERATION_FAILED where it is not here, or cannot be read */
export async function readAccount(address: string, open?: AccountStorage): Promise<StateRecord | undefined> {
  return await (open?.address === address ? open.readState() : readStoredState(address))
}
