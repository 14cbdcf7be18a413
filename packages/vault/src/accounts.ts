import type { StateRecord } from './schema.ts'
import { type AccountStorage, listDatabases, readStoredState } from './storage.ts'

/** An account that has a database here. */
export interface StoredAccount {
  readonly address: string
  /** Milliseconds since 1970; absent where its state cannot be read. */
  readonly createdAt?: number
  readonly lastAccessed?: number
}

/**
 * What is known of each stored account without its passphrase.
 *
 * @param open the database that is open, which is then not opened again
 */
export async function describeAccounts(open?: AccountStorage): Promise<StoredAccount[]> {
  const described: StoredAccount[] = []
  for (const address of await listDatabases()) {
    const state = await readAccount(address, open).catch(() => undefined)
    const times = state && { createdAt: state.createdAt, lastAccessed: state.lastAccessed }
    described.push({ address, ...times })
  }
  return described
}

/** The stored state of an account, open or not. @throws VaultError OPERATION_FAILED where it is not here, or cannot be read */
export async function readAccount(address: string, open?: AccountStorage): Promise<StateRecord | undefined> {
  return await (open?.address === address ? open.readState() : readStoredState(address))
}
