import type { Enclave } from '@keyhole/enclave'
import type { Clock } from '../base/clock.ts'
import { refused, VaultError } from '../base/errors.ts'
import { openSealed } from '../enclave/open-sealed.ts'
import { revisionOf } from '../enclave/revision.ts'
import { readStoredState } from '../storage/account/account-databases.ts'
import { AccountStorage, type OpenStorage } from '../storage/account/account-storage.ts'
import { isKnown, lostError } from '../storage/account/lost-accounts.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import type { StorageListener } from '../storage/account/storage-listener.ts'
import { noteAccount } from '../storage/canary.ts'
import { AccountMirror } from '../storage/mirror/mirror.ts'
import { hasMirror } from '../storage/opfs-files.ts'
import { withWriteLock } from '../storage/write-lock.ts'

/** A newly created or imported account, about to become the active one. */
export interface NewAccount {
  /** The enclave that holds it: one from `startEnclave()`, or the client's own if that was empty. */
  readonly enclave: Enclave
  readonly address: string
  /** Whether `make` writes into the new database. Only the state makes that an account. */
  readonly fills: boolean
  /**
   * Makes the account, or completes it.
   * @param storage its new database; undefined without persistence
   */
  readonly make: (storage: AccountStorage | undefined) => Promise<MadeAccount>
}

/** An account that its enclave has open, and what is stored of it. */
export type TakenAccount = Pick<NewAccount, 'enclave' | 'address'> & MadeAccount

/** What is stored of a new account, in one transaction. */
export interface MadeAccount {
  /** Its sealed state, as the enclave returned it. */
  readonly sealed: string
  readonly batch: StateBatch
  /** The journal that already has the account's tokens. */
  readonly journal?: string | undefined
}

/** An account's database and its current sealed state. */
export interface OpenedAccount {
  readonly address: string
  readonly storage: OpenStorage | undefined
  readonly sealed: string | undefined
  /** Whether that state comes from the second copy, which may be behind. */
  readonly behind?: boolean
}

/**
 * Opens an account's database, and its stored state in an enclave.
 * @throws VaultError OPERATION_FAILED; also for a lost account, which doesn't get an empty database instead
 */
export async function openAccount(
  address: string,
  enclave: Enclave,
  listener: StorageListener,
  clock: Clock,
): Promise<OpenedAccount> {
  await refuseLost(address)
  const storage = await AccountStorage.open(address, listener)
  try {
    const stored = await storage.readState()
    if (stored === undefined) return { address, storage, sealed: undefined }
    const restored = await storage.isRestored()
    const newer = restored ? undefined : await newerCopy(address, stored.enclave)
    const copied = newer !== undefined && (await openCopy(storage, newer, enclave, clock))
    if (!copied) await openSealed(enclave, stored.enclave)
    // A newer copy that isn't valid is set aside.
    void storage.startMirror({ restored: restored || (newer !== undefined && !copied) })
    await noteAccount(address, stored.createdAt)
    return copied
      ? { address, storage, sealed: newer, behind: true }
      : { address, storage, sealed: stored.enclave, behind: stored.behind ?? false }
  } catch (error) {
    storage.close()
    throw error
  }
}

async function refuseLost(address: string): Promise<void> {
  const stored = await readStoredState(address).catch(() => undefined)
  if (stored === undefined && (await isKnown(address))) throw lostError()
}

/** The mirror's state, if its revision is higher than the stored one. */
async function newerCopy(address: string, stored: string): Promise<string | undefined> {
  const copy = await AccountMirror.find(address)
    .then((mirror) => mirror?.readState())
    .catch(() => undefined)
  const isNewer = (revisionOf(copy?.enclave ?? '') ?? -1) > (revisionOf(stored) ?? -1)
  return isNewer ? copy?.enclave : undefined
}

/** Opens the copy, which has the higher revision, if the enclave finds it valid. @returns whether it did */
async function openCopy(
  storage: AccountStorage,
  copy: string,
  enclave: Enclave,
  clock: Clock,
): Promise<boolean> {
  try {
    await openSealed(enclave, copy)
  } catch {
    return false
  }
  // If the disk is full, the mirror still has the state, and the next start tries again.
  await storage.writeState(copy, clock.now(), {}, { behind: true }).catch(() => undefined)
  return true
}

/** Opens a sealed state from the caller in an enclave. It is stored only if nothing is stored yet. */
export async function openGiven(
  sealed: string,
  enclave: Enclave,
  listener: StorageListener | undefined,
  clock: Clock,
): Promise<OpenedAccount> {
  const { address } = await openSealed(enclave, sealed)
  if (!address) throw refused('StateWithoutAddress')
  await enclave.adopt(address)
  if (!listener) return { address, storage: undefined, sealed }
  return await withWriteLock(address, async () => {
    const storage = await AccountStorage.open(address, listener)
    try {
      if ((await storage.readState()) === undefined) await storage.writeState(sealed, clock.now())
      void storage.startMirror()
      await noteAccount(address, clock.now())
    } catch (error) {
      storage.close()
      throw error
    }
    return { address, storage, sealed }
  })
}

/**
 * Makes and stores a new account, but never over an existing one. Its mirror is written only once the account is the
 * active one; until then an earlier mirror stays as it is.
 * @returns its database, and its sealed state
 * @throws VaultError OPERATION_FAILED; nothing was written
 */
export async function storeNew(
  { address, fills, make }: NewAccount,
  listener: StorageListener,
  clock: Clock,
): Promise<{ storage: AccountStorage; sealed: string }> {
  return await withWriteLock(address, async () => {
    const storage = await AccountStorage.open(address, listener)
    let isFilling = false
    try {
      if (await hasState(storage)) throw refused('AccountHere')
      if (fills) {
        await storage.beginFilling()
        isFilling = true
      }
      const { sealed, batch, journal } = await make(storage)
      const now = clock.now()
      if (!(await storage.setUnreadableStateAside(now))) throw refused('AccountHere')
      const follows = journal === undefined ? undefined : { journal, seq: 0 }
      const origin = { restored: hasMirror(), ...(follows && { follows }) }
      await storage.writeState(sealed, now, batch, origin)
      return { storage, sealed }
    } catch (error) {
      storage.close()
      // Until then, staged records are those of an account that is here, and has yet to take them in.
      if (isFilling) {
        const { dropStaged } = await import('../storage/mirror/load-bulk.ts')
        await dropStaged(address)
      }
      throw error
    }
  })
}

/** Whether there is a state. One that doesn't parse is only set aside once there is another one. @throws VaultError */
export async function hasState(storage: AccountStorage): Promise<boolean> {
  try {
    return (await storage.readState()) !== undefined
  } catch (error) {
    // Any other failure says nothing about what is stored.
    if (error instanceof VaultError && error.details?.name === 'AccountStateUnreadable') return false
    throw error
  }
}
