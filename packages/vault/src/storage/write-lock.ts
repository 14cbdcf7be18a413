const chains = new Map<string, Promise<unknown>>()

/**
 * Runs `work` while holding a lock: across all tabs if the browser has Web Locks, otherwise in this tab only. Settles
 * as `work` does.
 */
async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  if (locks) return await locks.request(name, work)
  const before = chains.get(name) ?? Promise.resolve()
  const mine = before.then(work, work)
  chains.set(name, mine)
  try {
    return await mine
  } finally {
    if (chains.get(name) === mine) chains.delete(name)
  }
}

/** Whether locks work across tabs. */
export function locksReachOtherTabs(): boolean {
  return globalThis.navigator?.locks !== undefined
}

const writeLock = (address: string) => `keyhole:write:${address}`

/** The lock for changes to an account's sealed state, held from the enclave's change until it is stored. */
export async function withWriteLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(writeLock(address), work)
}

/**
 * Runs `work` at once: with the write lock if it's free, without it otherwise.
 * @param work told whether it holds the lock
 */
export async function ifWriteLockFree<T>(address: string, work: (free: boolean) => Promise<T>): Promise<T> {
  const name = writeLock(address)
  const locks = globalThis.navigator?.locks
  if (locks) return await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))
  return chains.has(name) ? await work(false) : await withLock(name, () => work(true))
}

/** Whether something holds the write lock, in any tab. False where that can't be known. */
export async function isWriteLockHeld(address: string): Promise<boolean> {
  const name = writeLock(address)
  const { held } = (await globalThis.navigator?.locks?.query()) ?? {}
  return held?.some((lock) => lock.name === name) ?? chains.has(name)
}

/**
 * The lock for writing an account's records, held from the database's transaction until the mirror has it too. May be
 * taken while holding the write lock, never the other way round.
 */
export async function withStorageLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:storage:${address}`, work)
}

/**
 * The lock for reading all of an account's mirror or merging its files. May be taken while holding the write lock,
 * never the other way round, and before the storage lock.
 */
export async function withMirrorLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:mirror:${address}`, work)
}

/** The lock for deleting what has expired. Taken before the write lock. */
export async function withCleanupLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:cleanup:${address}`, work)
}

/** The lock for changing the list of known accounts. */
export async function withCanaryLock<T>(work: () => Promise<T>): Promise<T> {
  return await withLock('keyhole:canary', work)
}
