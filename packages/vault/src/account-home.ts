import type { Enclave } from '@keyhole/enclave'
import { noteAccount } from './canary.ts'
import { VaultError } from './errors.ts'
import { withWriteLock } from './lock.ts'
import { isKnown, lostError } from './lost-accounts.ts'
import { AccountMirror } from './mirror.ts'
import { openSealed } from './open-sealed.ts'
import { revisionOf } from './schema.ts'
import { AccountStorage, readStoredState, type StateBatch, type StorageListener } from './storage.ts'

/** An account that has just been made or imported, and is to become the active one. */
export interface NewAccount {
  /** The enclave that holds it: one from `startEnclave()`, or the client's own where that holds no account. */
  readonly enclave: Enclave
  readonly address: string
  /** Its sealed state, as the enclave returned it. */
  readonly sealed: string
  /** Records to write in the same transaction. */
  readonly batch?: StateBatch
}

/** An account's database, and the sealed state at hand. */
export interface AccountHome {
  readonly storage: AccountStorage | undefined
  readonly sealed: string | undefined
}

/**
 * Opens an account's database, and what is stored there in an enclave.
 *
 * @throws VaultError OPERATION_FAILED; an account that was here and is gone is not begun anew with an empty database
 */
export async function openHome(
  address: string,
  enclave: Enclave,
  listener: StorageListener,
): Promise<AccountHome> {
  await refuseLost(address)
  const storage = await AccountStorage.open(address, listener)
  try {
    const stored = await storage.readState()
    if (stored === undefined) return { storage, sealed: undefined }
    const copied = await openCopy(storage, stored.enclave, enclave)
    if (copied === undefined) await openSealed(enclave, stored.enclave)
    void storage.startMirror()
    await noteAccount(address, stored.createdAt)
    return { storage, sealed: copied ?? stored.enclave }
  } catch (error) {
    storage.close()
    throw error
  }
}

async function refuseLost(address: string): Promise<void> {
  const stored = await readStoredState(address).catch(() => undefined)
  if (stored === undefined && (await isKnown(address))) throw lostError()
}

/**
 * Of two states the higher revision wins: opens and stores the mirror's where that is the newer one, and the enclave
 * finds it sound. @returns that state
 */
async function openCopy(
  storage: AccountStorage,
  stored: string,
  enclave: Enclave,
): Promise<string | undefined> {
  try {
    const copy = (await (await AccountMirror.find(storage.address))?.readState())?.enclave
    if (copy === undefined || (revisionOf(copy) ?? -1) <= (revisionOf(stored) ?? -1)) return undefined
    await openSealed(enclave, copy)
    await storage.writeState(copy, Date.now())
    return copy
  } catch {
    // What is stored is opened then, and the mirror set right by it.
    return undefined
  }
}

/** Opens a sealed state that the caller gives in an enclave; stored only where nothing is. */
export async function openGiven(
  sealed: string,
  enclave: Enclave,
  listener: StorageListener | undefined,
): Promise<AccountHome> {
  const { address } = await openSealed(enclave, sealed)
  if (!address) throw new VaultError('OPERATION_FAILED', 'The sealed state given names no account.')
  await enclave.adopt(address)
  if (!listener) return { storage: undefined, sealed }
  const storage = await AccountStorage.open(address, listener)
  try {
    if ((await storage.readState()) === undefined) await storage.writeState(sealed, Date.now())
    void storage.startMirror()
    await noteAccount(address, Date.now())
  } catch (error) {
    storage.close()
    throw error
  }
  return { storage, sealed }
}

/**
 * Stores a new account. One that is stored already is not written over. Its mirror is begun when it has become the
 * active one: until then what an earlier mirror of it holds stays as it is.
 *
 * @throws VaultError OPERATION_FAILED; nothing was written then
 */
export async function storeNew(
  { address, sealed, batch }: NewAccount,
  listener: StorageListener,
): Promise<AccountStorage> {
  return await withWriteLock(address, async () => {
    const storage = await AccountStorage.open(address, listener)
    try {
      if (!(await storage.setUnreadableStateAside(Date.now()))) {
        throw new VaultError(
          'OPERATION_FAILED',
          'This account is in this browser already. Open it and unlock it, then import.',
        )
      }
      await storage.writeState(sealed, Date.now(), batch)
      return storage
    } catch (error) {
      storage.close()
      throw error
    }
  })
}
