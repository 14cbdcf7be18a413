import { refused } from '../../base/errors.ts'
import { inTime } from '../mirror-files.ts'
import type { StateRecord } from '../schema.ts'
import { ifWriteLockFree, locksReachOtherTabs, withWriteLock } from '../write-lock.ts'
import {
  deleteDatabase,
  dropDatabase,
  isEmptyDatabase,
  isUnfinished,
  listDatabases,
  type OpenStorage,
  PATIENCE,
  readStoredState,
} from './account-storage.ts'
import { describeLost, isKnown, knownAccounts, type LostAccount } from './lost-accounts.ts'

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
  /** Databases without a state that a killed tab may have left while it made the account: whether it has is for `removeUnmade` to find out. */
  readonly unmade: readonly string[]
}

/**
 * What is stored here and what is lost, without anyone's passphrase, and without making a database of what is gone.
 *
 * @param open the database that is open, which is then not opened again
 * @throws VaultError OPERATION_FAILED where IndexedDB does not tell, and no account is known to have been here
 */
export async function surveyAccounts(open?: OpenStorage): Promise<AccountSurvey> {
  const known = new Map((await knownAccounts()).map((account) => [account.address, account]))
  const stored = await listDatabases().catch((error: unknown) => {
    // An IndexedDB that says nothing is as good as an empty one: nobody is taken for a new user.
    if (known.size === 0) throw error
    return undefined
  })
  const accounts: StoredAccount[] = []
  const lost: LostAccount[] = []
  const unmade: string[] = []
  const addresses = [...new Set([...(stored ?? []), ...known.keys()])].sort()
  const looked = await Promise.all(
    addresses.map((address) =>
      stored === undefined || stored.includes(address) ? lookInto(address, open) : undefined,
    ),
  )
  for (const [index, address] of addresses.entries()) {
    const found = looked[index]
    const account = known.get(address)
    if (found?.state) {
      const { createdAt, lastAccessed } = found.state
      accounts.push({ address, createdAt, lastAccessed })
      continue
    }
    if (account && (await isGone(address, open))) lost.push(await describeLost(account))
    const hasSomething = found?.unreadable || address === open?.address
    if (hasSomething && stored !== undefined) accounts.push({ address })
    else if (found && (!account || found.unfinished)) unmade.push(address)
  }
  return { accounts, lost, unmade }
}

/** The state of an account that has a database, and whether there is one that cannot be read, or one that was never written. */
async function lookInto(
  address: string,
  open?: OpenStorage,
): Promise<{ state?: StateRecord | undefined; unreadable?: boolean; unfinished?: boolean }> {
  try {
    const state = await inTime(readAccount(address, open), PATIENCE)
    if (state !== undefined || address === open?.address) return { state }
    return { unfinished: await inTime(isUnfinished(address), PATIENCE) }
  } catch {
    return { unreadable: true }
  }
}

/** Whether an account is lost, and not just being removed or restored by another tab, which is waited for. */
async function isGone(address: string, open?: OpenStorage): Promise<boolean> {
  await inTime(
    withWriteLock(address, async () => undefined),
    PATIENCE,
  ).catch(() => undefined)
  return (await isKnown(address)) && (await lookInto(address, open)).state === undefined
}

/**
 * Deletes a database that a killed tab has left with nothing in it, or with an account that never got its state. One that a tab is
 * just filling stays, and is not waited for; so does one that has anything else in it.
 */
export async function removeUnmade(address: string): Promise<void> {
  await ifWriteLockFree(address, async (free) => {
    if (!free) return
    if (await isEmptyDatabase(address)) await deleteDatabase(address)
    // Without locks that other tabs see, nobody can tell whether one of them is filling it.
    else if (locksReachOtherTabs() && (await isUnfinished(address))) await dropDatabase(address)
  })
}

/**
 * Deletes a database whose making came to nothing. One that has a state by now is another tab's, and stays.
 *
 * @throws VaultError OPERATION_FAILED where there is none, or its state cannot be read: nothing was deleted then
 */
export async function removeStateless(address: string): Promise<void> {
  await withWriteLock(address, async () => {
    if ((await readStoredState(address)) === undefined) await dropDatabase(address)
  })
}

/** The stored state of an account, open or not. @throws VaultError OPERATION_FAILED where it is not here, or cannot be read */
export async function readAccount(address: string, open?: OpenStorage): Promise<StateRecord | undefined> {
  return await (open?.address === address ? open.readState() : readStoredState(address))
}

/** @throws VaultError OPERATION_FAILED where the account has a state that can be read */
export async function requireLost(address: string, open?: OpenStorage): Promise<void> {
  const state = await inTime(readAccount(address, open), PATIENCE).catch(() => undefined)
  if (!state) return
  throw refused('AccountNotLost')
}
