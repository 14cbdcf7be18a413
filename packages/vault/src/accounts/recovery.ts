import type { Enclave } from '@keyhole/enclave'
import type { Clock } from '../base/clock.ts'
import { refused } from '../base/errors.ts'
import type { VaultClient } from '../client/vault-client.ts'
import { callPlugin, discard } from '../enclave/plugin.ts'
import { deleteDatabase, listDatabases, PATIENCE } from '../storage/account/account-databases.ts'
import { removeStateless, requireLost } from '../storage/account/account-list.ts'
import { AccountStorage } from '../storage/account/account-storage.ts'
import { forgetAccount, noteAccount } from '../storage/canary.ts'
import { readLastAccount, rememberLastAccount } from '../storage/last-account.ts'
import { findCopy, type MirroredState, removeMirror, type WholeCopy } from '../storage/mirror/mirror.ts'
import type { RestoredAccount, RestoreLostOptions } from '../storage/mirror/restored-account.ts'
import { inTime } from '../storage/opfs-files.ts'
import { toStorageError } from '../storage/storage-error.ts'
import { withMirrorLock, withWriteLock } from '../storage/write-lock.ts'

export type { RestoredAccount, RestoreLostOptions } from '../storage/mirror/restored-account.ts'

/** Restores accounts whose database is gone from their second copy, or forgets them. */
export class Recovery {
  readonly #client: VaultClient
  readonly #clock: Clock

  constructor(client: VaultClient, clock: Clock) {
    this.#client = client
    this.#clock = clock
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
    const { mirror } = copy
    const check = (state: MirroredState) =>
      inCheckedEnclave(
        () => this.#client.startEnclave(),
        state,
        async () => undefined,
      )
    await check(copy.state)
    return await rebuild(address, options.signal, async (storage) => {
      const restored = await withWriteLock(address, () =>
        withMirrorLock(address, async () => {
          const { state } = await requireCopy(address)
          // Another tab may have restored it from a backup meanwhile.
          if (state.enclave !== copy.state.enclave) await check(state)
          const { bringBack } = await import('../storage/mirror/load-bulk.ts')
          return await bringBack(storage, mirror, state, this.#clock, options)
        }),
      )
      await noteAccount(address, copy.state.createdAt)
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
async function requireCopy(address: string): Promise<WholeCopy> {
  const copy = await findCopy(address)
  if (copy) return copy
  throw refused('CopyDeleted')
}
