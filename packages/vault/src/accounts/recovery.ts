import type { Enclave } from '@keyhole/enclave'
import { refused } from '../base/errors.ts'
import type { VaultClient } from '../client/vault-client.ts'
import { callPlugin, discard } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import { removeStateless, requireLost } from '../storage/account/account-list.ts'
import {
  AccountStorage,
  deleteDatabase,
  listDatabases,
  PATIENCE,
} from '../storage/account/account-storage.ts'
import { forgetAccount, noteAccount } from '../storage/canary.ts'
import { type AccountMirror, findCopy, type MirroredState, removeMirror } from '../storage/copy/mirror.ts'
import { readLastAccount, rememberLastAccount } from '../storage/last-account.ts'
import { inTime } from '../storage/mirror-files.ts'
import { toStorageError } from '../storage/storage-error.ts'
import { withMirrorLock, withWriteLock } from '../storage/write-lock.ts'

export interface RestoreLostOptions {
  /** Ends the work; it can be begun again. */
  readonly signal?: AbortSignal
  /** How many of the second copy's records have been brought back, of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What came back. */
export interface RestoredAccount {
  /** Tokens that are there now. */
  readonly tokens: number
  /** Records that the second copy is known to have held and that could not be read. */
  readonly unreadable: number
}

/** Accounts whose database is gone: brought back from their second copy, or forgotten. */
export class Recovery {
  readonly #client: VaultClient

  constructor(client: VaultClient) {
    this.#client = client
  }

  /**
   * Brings a lost account back from its second copy. Its sealed state is opened in an enclave before anything is
   * written, and written last: ended or killed before that, the account is lost as it was, and this can be begun again.
   * What the database still has, or has again, is joined and not written over.
   *
   * @throws VaultError OPERATION_FAILED; the signal's reason
   */
  async restore(address: string, options: RestoreLostOptions = {}): Promise<RestoredAccount> {
    options.signal?.throwIfAborted()
    const copy = await findCopy(address)
    if (!copy) {
      throw refused('CopyWithoutKeys')
    }
    const { mirror, state } = copy
    await inCheckedEnclave(
      () => this.#client.startEnclave(),
      state,
      async () => undefined,
    )
    return await rebuild(address, options.signal, async (storage) => {
      const restored = await withWriteLock(address, () =>
        withMirrorLock(address, async () => {
          await requireCopy(address)
          return await bringBack(storage, mirror, state, options)
        }),
      )
      await noteAccount(address, state.createdAt)
      return restored
    })
  }

  /**
   * Gives a lost account up: its second copy, the memory of it, and what is left of its database are deleted.
   *
   * @throws VaultError OPERATION_FAILED where the account is not lost
   */
  async forget(address: string): Promise<void> {
    await requireLost(address, this.#client.openStorage)
    const work = async () => {
      // Another tab may have brought it back while this one waited for it.
      await requireLost(address, this.#client.openStorage)
      await deleteDatabase(address)
    }
    // An IndexedDB that fails has lost it already, and must not keep the account from being forgotten.
    await inTime(withWriteLock(address, work), PATIENCE).catch(() => undefined)
    await withMirrorLock(address, async () => {
      await requireLost(address, this.#client.openStorage)
      await removeMirror(address)
    })
    await forgetAccount(address)
    if (readLastAccount() === address) rememberLastAccount(undefined)
  }
}

/**
 * Opens a copied state in an enclave of its own, which is ended afterwards, whatever happens.
 *
 * @param work what is done there besides
 * @throws VaultError OPERATION_FAILED where the enclave finds that this is no sound state of the account
 */
export async function inCheckedEnclave<T>(
  start: () => Promise<Enclave>,
  state: MirroredState,
  work: (enclave: Enclave) => Promise<T>,
): Promise<T> {
  const enclave = await start()
  try {
    await checkCopy(enclave, state)
    return await work(enclave)
  } finally {
    await discard(enclave)
  }
}

/**
 * Brings an account back into its database. Nothing of it counts without a state: where it fails, what was begun here does
 * not stay.
 *
 * @throws VaultError OPERATION_FAILED; the signal's reason
 */
export async function rebuild<T>(
  address: string,
  signal: AbortSignal | undefined,
  work: (storage: AccountStorage) => Promise<T>,
): Promise<T> {
  const existed = (await listDatabases().catch(() => [address])).includes(address)
  const storage = await AccountStorage.open(address)
  try {
    return await work(storage)
  } catch (error) {
    storage.close()
    if (!existed) await removeStateless(address).catch(() => undefined)
    if (signal?.aborted) throw signal.reason
    throw toStorageError(error, 'restoring the account')
  } finally {
    storage.close()
  }
}

async function checkCopy(enclave: Enclave, { address, enclave: sealed }: MirroredState): Promise<void> {
  const failure = 'Failed to open the second copy'
  const { status } = await callPlugin(enclave, 'open_vault', { enclave: sealed }, failure)
  if (status.address === address) return
  throw refused('CopyOfOtherAccount')
}

/** @throws VaultError OPERATION_FAILED where another tab has forgotten the account while this one waited for it */
async function requireCopy(address: string): Promise<void> {
  if (await findCopy(address)) return
  throw refused('CopyDeleted')
}

async function bringBack(
  storage: AccountStorage,
  mirror: AccountMirror,
  state: MirroredState,
  { signal, onProgress }: RestoreLostOptions,
): Promise<RestoredAccount> {
  const { records } = storage
  // What a killed import has left is no part of what was here, and cannot be read.
  await storage.dropUnfinished()
  const listing = await mirror.journal.list()
  const mark = await records.readMark()
  // A database with a number of its own journal is a part of what was: then the journal tells what happened since.
  const same = mark !== undefined && mark.journal === listing.journal && !listing.mixed
  const ahead = same && mark.seq >= listing.last
  const { entries, unreadable } = await mirror.journal.read(listing, same && !ahead ? mark.seq : -1)
  const mode = same && !ahead ? 'follow' : 'join'
  let lost = ahead ? 0 : unreadable
  if (!ahead) {
    lost += (await records.takeOver({ entries, mode, signal, onProgress })).bad
    if (listing.journal !== undefined) {
      // After a joining the journal may have another record than stayed: it counts as behind, and is written anew.
      const behind = mode === 'join' ? 1 : 0
      await records.writeMark(listing.journal, Math.max(listing.last, mark?.seq ?? 0) + behind)
    }
  }
  signal?.throwIfAborted()
  await storage.setUnreadableStateAside(Date.now())
  const stored = await storage.readState()
  if (stored === undefined || (revisionOf(stored.enclave) ?? -1) < (revisionOf(state.enclave) ?? 0)) {
    await storage.writeState(state.enclave, Date.now(), {}, { createdAt: state.createdAt, behind: true })
  }
  return { tokens: await records.count('tokens'), unreadable: lost }
}
