import { refused } from '../../base/errors.ts'
import { inTime, NoAnswer } from '../opfs-files.ts'
import type { StateRecord } from '../schema.ts'
import { ifWriteLockFree, locksReachOtherTabs, withWriteLock } from '../write-lock.ts'
import {
  deleteDatabase,
  dropDatabase,
  isEmptyDatabase,
  isUnfinished,
  listDatabases,
  PATIENCE,
  readStoredState,
} from './account-databases.ts'
import type { OpenStorage } from './account-storage.ts'
import { describeLost, isKnown, knownAccounts, type LostAccount } from './lost-accounts.ts'

/** An account with a database here. */
export interface StoredAccount {
  readonly address: string
  /** Milliseconds since 1970; absent if its state can't be read. */
  readonly createdAt?: number
  readonly lastAccessed?: number
}

export interface AccountSurvey {
  /** Accounts stored here. */
  readonly accounts: readonly StoredAccount[]
  /** Accounts that were here and are gone. */
  readonly lost: readonly LostAccount[]
  /** Databases without a state, perhaps left by a tab killed while creating an account; `removeUnmade` finds out. */
  readonly unmade: readonly string[]
}

/**
 * Finds stored and lost accounts, without a passphrase and without creating a database for a lost one.
 * @param open the database that is already open, which is not opened again
 * @throws VaultError OPERATION_FAILED if IndexedDB can't list its databases, and no account is known to have been here
 */
export async function surveyAccounts(open?: OpenStorage): Promise<AccountSurvey> {
  const known = new Map((await knownAccounts()).map((account) => [account.address, account]))
  const stored = await listDatabases().catch((error: unknown) => {
    // Treat a failing IndexedDB like an empty one: with known accounts, this isn't a new user.
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
    const gone = account && (await lookAgain(address, open))
    if (account && gone)
      lost.push({ ...(await describeLost(account)), ...(gone.isLate && { noAnswer: true }) })
    const hasSomething = found?.unreadable || address === open?.address
    if (hasSomething && stored !== undefined) accounts.push({ address })
    else if (found && (!account || found.unfinished)) unmade.push(address)
  }
  return { accounts, lost, unmade }
}

interface Look {
  readonly state?: StateRecord | undefined
  readonly unreadable?: true
  /** IndexedDB didn't answer in time. */
  readonly isLate?: boolean
  readonly unfinished?: boolean
}

/** Reads the state of an account with a database, and finds out whether it's unreadable or was never written. */
async function lookInto(address: string, open?: OpenStorage): Promise<Look> {
  try {
    const state = await inTime(readAccount(address, open), PATIENCE)
    if (state !== undefined || address === open?.address) return { state }
    return { unfinished: await inTime(isUnfinished(address), PATIENCE) }
  } catch (error) {
    return { unreadable: true, isLate: error instanceof NoAnswer }
  }
}

/** Looks for an account that seems lost once more, and waits first if another tab is removing or restoring it. Undefined if it isn't lost. */
async function lookAgain(address: string, open?: OpenStorage): Promise<Look | undefined> {
  await inTime(
    withWriteLock(address, async () => undefined),
    PATIENCE,
  ).catch(() => undefined)
  if (!(await isKnown(address))) return undefined
  const found = await lookInto(address, open)
  return found.state ? undefined : found
}

/**
 * Deletes a database left by a killed tab: empty, or with an account that never got its state. Keeps, without waiting,
 * one that a tab is still filling, and any with other contents.
 */
export async function removeUnmade(address: string): Promise<void> {
  await ifWriteLockFree(address, async (free) => {
    if (!free) return
    if (await isEmptyDatabase(address)) await deleteDatabase(address)
    // Without locks across tabs, another tab might be filling it, and no one could tell.
    else if (locksReachOtherTabs() && (await isUnfinished(address))) {
      const { dropStaged } = await import('../mirror/load-bulk.ts')
      await dropStaged(address)
      await dropDatabase(address)
    }
  })
}

/**
 * Deletes a database whose creation failed. If it has a state by now, that came from another tab, and it stays.
 * @throws VaultError OPERATION_FAILED if there is none, or its state can't be read: nothing was deleted
 */
export async function removeStateless(address: string): Promise<void> {
  await withWriteLock(address, async () => {
    if ((await readStoredState(address)) === undefined) await dropDatabase(address)
  })
}

/**
 * The stored state of an account, open or not. @throws VaultError OPERATION_FAILED if it isn't here, or can't be read
 */
export async function readAccount(address: string, open?: OpenStorage): Promise<StateRecord | undefined> {
  return await (open?.address === address ? open.readState() : readStoredState(address))
}

/** @throws VaultError OPERATION_FAILED if the account has a readable state */
export async function requireLost(address: string, open?: OpenStorage): Promise<void> {
  const state = await inTime(readAccount(address, open), PATIENCE).catch(() => undefined)
  if (!state) return
  throw refused('AccountNotLost')
}
