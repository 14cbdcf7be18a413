import type { Enclave } from '@keyhole/enclave'
import { VaultError } from './errors.ts'
import { openSealed } from './open-sealed.ts'
import { AccountStorage, type StateBatch, type StorageListener } from './storage.ts'

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

/** Opens an account's database, and what is stored there in an enclave. */
export async function openHome(
  address: string,
  enclave: Enclave,
  listener: StorageListener,
): Promise<AccountHome> {
  const storage = await AccountStorage.open(address, listener)
  try {
    const sealed = (await storage.readState())?.enclave
    if (sealed !== undefined) await openSealed(enclave, sealed)
    return { storage, sealed }
  } catch (error) {
    storage.close()
    throw error
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
  } catch (error) {
    storage.close()
    throw error
  }
  return { storage, sealed }
}

/**
 * Stores a new account. One that is stored already is not written over.
 *
 * @throws VaultError OPERATION_FAILED; nothing was written then
 */
export async function storeNew(
  { address, sealed, batch }: NewAccount,
  listener: StorageListener,
): Promise<AccountStorage> {
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
}
