// Accounts' databases by address, without opening an account.
import { Dexie, type Table } from 'dexie'
import * as v from 'valibot'
import { refused } from '../../base/errors.ts'
import { DEVICE_LINK, LIMITED_LINK } from '../devices/device-marks.ts'
import { inTime } from '../opfs-files.ts'
import {
  existing,
  openable,
  SCHEMA_VERSION,
  STATE_ID,
  type StateRecord,
  stateRecord,
  UNFINISHED_ID,
} from '../schema.ts'
import { toStorageError, withStorageErrors } from '../storage-error.ts'
import { DATABASE_PREFIX } from '../storage-names.ts'

/** How long IndexedDB may take to answer, in milliseconds, before it counts as broken. */
export const PATIENCE = 5000

/** The browser's databases. @throws VaultError OPERATION_FAILED if there is no IndexedDB */
async function databases(): Promise<IDBDatabaseInfo[]> {
  const factory: IDBFactory | undefined = globalThis.indexedDB
  if (factory) return await inTime(factory.databases(), PATIENCE)
  throw refused('NoIndexedDb')
}

/**
 * Refuses a database upgraded by a newer version, because Dexie would open it and add what it thinks is missing. Dexie
 * counts versions in tenths.
 */
export async function refuseNewerSchema(address: string): Promise<void> {
  if ((await versionOf(address)) < (SCHEMA_VERSION + 1) * 10) return
  throw refused('NewerSchema')
}

/** The version of an account's database; 0 if there is none. */
async function versionOf(address: string): Promise<number> {
  try {
    const found = (await databases()).find(({ name }) => name === DATABASE_PREFIX + address)
    return found?.version ?? 0
  } catch (error) {
    if (globalThis.indexedDB === undefined) throw error
    // A browser that can't list its databases may still have this one.
    return await look(address, async (db) => db.verno * 10).catch(() => 0)
  }
}

/** The addresses of accounts with a database here. */
export async function listDatabases(): Promise<string[]> {
  return await withStorageErrors('listing the accounts', async () =>
    (await databases())
      .map(({ name }) => name ?? '')
      .filter((name) => name.startsWith(DATABASE_PREFIX) && name.length > DATABASE_PREFIX.length)
      .map((name) => name.slice(DATABASE_PREFIX.length))
      .sort(),
  )
}

/**
 * The state record of an account that isn't open, if it has one. Never creates a database: one being deleted in another
 * tab must not come back empty.
 * @throws VaultError OPERATION_FAILED if there is no such database, or its state doesn't parse
 */
export async function readStoredState(address: string): Promise<StateRecord | undefined> {
  return await look(address, async (db) => {
    // If a tab was killed while creating it, the database may have no stores at all.
    const state = db.tables.find(({ name }) => name === 'state')
    const found: unknown = await state?.get(STATE_ID)
    return found === undefined ? undefined : parseState(found)
  })
}

/** Whether a stored account is on several devices, or a limited device. False if it can't be read. */
export async function isOnDevices(address: string): Promise<boolean> {
  return await look(address, async (db) => {
    const metadata = db.tables.find(({ name }) => name === 'metadata')
    const found = await metadata?.bulkGet([DEVICE_LINK, LIMITED_LINK])
    return found?.some((link) => link !== undefined) ?? false
  }).catch(() => false)
}

/** Whether an account's database is completely empty. @throws VaultError OPERATION_FAILED if there is none */
export async function isEmptyDatabase(address: string): Promise<boolean> {
  return await look(address, isEmpty)
}

export async function isEmpty(db: Dexie): Promise<boolean> {
  for (const table of db.tables) if ((await table.count()) > 0) return false
  return true
}

/**
 * Whether an account's database holds an account that was being filled and never got its state. Only an empty database
 * is marked that way, so it holds nothing else.
 * @throws VaultError OPERATION_FAILED if there is no such database
 */
export async function isUnfinished(address: string): Promise<boolean> {
  return await look(address, async (db) => {
    const state = db.tables.find(({ name }) => name === 'state')
    return state !== undefined && (await hasNoMoreThanMark(state))
  })
}

/** Whether a state store has the mark of an unfinished account, and no state. */
export async function hasNoMoreThanMark(
  state: Pick<Table<unknown, string>, 'toCollection'>,
): Promise<boolean> {
  const ids = await state.toCollection().primaryKeys()
  return ids.length === 1 && ids[0] === UNFINISHED_ID
}

/** Reads from an existing database, without ever creating one. */
async function look<T>(address: string, read: (db: Dexie) => Promise<T>): Promise<T> {
  const db = existing(address)
  try {
    await db.open()
    return await read(db)
  } catch (error) {
    if (error instanceof Dexie.NoSuchDatabaseError) {
      throw refused('AccountNotHere', {}, { cause: error })
    }
    throw toStorageError(error, 'reading the account')
  } finally {
    db.close()
  }
}

/**
 * Deletes an account's database. It is emptied first, so a tab that won't close it only keeps an empty database, which
 * goes when the tab is closed.
 */
export async function deleteDatabase(address: string): Promise<void> {
  // If it can't be opened, it can't be emptied, and is deleted as it is.
  await look(address, (found) => empty(found)).catch(() => undefined)
  await dropDatabase(address)
}

/**
 * Deletes a database without emptying it: with 50,000 tokens that would take seconds. If a tab holds it open, it is
 * deleted when that tab closes it.
 */
export async function dropDatabase(address: string): Promise<void> {
  const db = openable(address)
  const deleted = new Promise<void>((resolve, reject) => {
    db.on('blocked', () => {
      resolve()
      return false
    })
    db.delete().then(resolve, reject)
  })
  await withStorageErrors('deleting the account', () => deleted)
}

async function empty(db: Dexie): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    for (const table of db.tables) await table.clear()
  })
}

/** The state of a record. @throws VaultError OPERATION_FAILED if it doesn't parse */
export function parseState(found: unknown): StateRecord {
  const parsed = v.safeParse(stateRecord, found)
  if (parsed.success) return parsed.output
  throw refused(
    'AccountStateUnreadable',
    {},
    { details: { store: 'state', id: STATE_ID, reason: v.summarize(parsed.issues) } },
  )
}
