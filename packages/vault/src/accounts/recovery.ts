import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
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
import { breathe, parseKey, type RecordKey } from '../storage/journal/journal.ts'
import { decodeValue } from '../storage/journal/journal-value.ts'
import { readLastAccount, rememberLastAccount } from '../storage/last-account.ts'
import { inTime } from '../storage/mirror-files.ts'
import { tokenRecord } from '../storage/schema.ts'
import { toStorageError } from '../storage/storage-error.ts'
import { withMirrorLock, withWriteLock } from '../storage/write-lock.ts'

export interface RestoreLostOptions {
  /** Stops the work; it can be started again. */
  readonly signal?: AbortSignal
  /** How many of the second copy's records have been restored, out of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What was restored. */
export interface RestoredAccount {
  /** Tokens now in the account. */
  readonly tokens: number
  /** Records the second copy should have but couldn't read. */
  readonly unreadable: number
}

/** Restores accounts whose database is gone from their second copy, or forgets them. */
export class Recovery {
  readonly #client: VaultClient

  constructor(client: VaultClient) {
    this.#client = client
  }

  /**
   * Restores a lost account from its second copy. An enclave opens the sealed state before anything is written, and the
   * state is written last: until then an interruption leaves the account lost, and you can try again. What the database
   * still has, or has again, is merged, not overwritten.
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
   * Deletes a lost account: its second copy, its entry in the list of known accounts, and the rest of its database.
   * @throws VaultError OPERATION_FAILED if the account isn't lost
   */
  async forget(address: string): Promise<void> {
    await requireLost(address, this.#client.openStorage)
    const work = async () => {
      // Another tab may have restored it while this one waited for the lock.
      await requireLost(address, this.#client.openStorage)
      await deleteDatabase(address)
    }
    // If IndexedDB fails, the database is lost already, and that must not stop the rest from being deleted.
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
 * Opens a copied state in a separate enclave, and always discards that afterwards.
 * @param work runs while it's open
 * @throws VaultError OPERATION_FAILED if the enclave finds that this isn't a valid state of the account
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
 * Restores an account's database. The data doesn't count until it has a state; on failure, anything created here is
 * removed.
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

/** @throws VaultError OPERATION_FAILED if another tab deleted the account while this one waited for the lock */
async function requireCopy(address: string): Promise<void> {
  if (await findCopy(address)) return
  throw refused('CopyDeleted')
}

async function bringBack(
  storage: AccountStorage,
  mirror: AccountMirror,
  state: MirroredState,
  options: RestoreLostOptions,
): Promise<RestoredAccount> {
  const { signal, onProgress } = options
  const { records } = storage
  // Records of a killed import aren't part of the account, and can't be read.
  await storage.dropUnfinished()
  const listing = await mirror.journal.list()
  const mark = await records.readMark()
  // If the database knows its position in this journal, it only needs the entries after it.
  const same = mark !== undefined && mark.journal === listing.journal && !listing.mixed
  const ahead = same && mark.seq >= listing.last
  const { entries, unreadable } = await mirror.journal.read(listing, same && !ahead ? mark.seq : -1)
  if (mark === undefined && unreadable === 0 && !listing.mixed && listing.journal !== undefined) {
    const follows = { journal: listing.journal, seq: listing.last }
    const restored = await bringMany(storage, entries, state, follows, options)
    if (restored) return restored
  }
  const mode = same && !ahead ? 'follow' : 'join'
  let lost = ahead ? 0 : unreadable
  if (!ahead) {
    lost += (await records.takeOver({ entries, mode, signal, onProgress })).bad
    if (listing.journal !== undefined) {
      // After a merge, the journal may differ from the database. One behind makes the mirror writer rewrite it.
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

/** From this many tokens on, an empty database follows the journal. */
const MANY = 4_000
/** Tokens checked between two progress reports. */
const CHECKED_AT_ONCE = 500

/**
 * Restores an account with many tokens into an empty database: everything but the tokens is written, and they are read
 * from the journal until the database has them too. 087
 * @returns undefined if there aren't many, or the database has something
 */
async function bringMany(
  storage: AccountStorage,
  entries: ReadonlyMap<RecordKey, string | undefined>,
  state: MirroredState,
  follows: { readonly journal: string; readonly seq: number },
  { signal, onProgress }: RestoreLostOptions,
): Promise<RestoredAccount | undefined> {
  const { records } = storage
  const others = new Map([...entries].filter(([key]) => !isToken(key)))
  const tokens = [...entries].flatMap(([key, text]) => (isToken(key) && text !== undefined ? [text] : []))
  if (tokens.length < MANY || !(await storage.isEmpty())) return undefined
  let bad = 0
  for (let at = 0; at < tokens.length; at += CHECKED_AT_ONCE) {
    signal?.throwIfAborted()
    const checked = tokens.slice(at, at + CHECKED_AT_ONCE)
    bad += checked.filter((text) => !isReadable(text)).length
    onProgress?.(at + checked.length, entries.size)
    await breathe()
  }
  const told = onProgress && ((done: number) => onProgress(tokens.length + done, entries.size))
  const written = await records.takeOver({ entries: others, mode: 'follow', signal, onProgress: told })
  signal?.throwIfAborted()
  const origin = { createdAt: state.createdAt, behind: true, follows }
  await storage.writeState(state.enclave, Date.now(), {}, origin)
  return { tokens: tokens.length - bad, unreadable: bad + written.bad }
}

function isToken(key: RecordKey): boolean {
  return parseKey(key)?.store === 'tokens'
}

function isReadable(text: string): boolean {
  try {
    return v.is(tokenRecord, decodeValue(text))
  } catch {
    return false
  }
}
