const chains = new Map<string, Promise<unknown>>()

/**
 * Runs `work` alone among everything that asks for the same lock: in all tabs where the browser has Web Locks, and
 * otherwise in this one (a chain of promises). Settles as `work` does.
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

/** Whether locks are seen by other tabs too. */
export function locksReachOtherTabs(): boolean {
  return globalThis.navigator?.locks !== undefined
}

/** Alone among everything that changes an account's sealed state: from the enclave's change until that is stored. */
export async function withWriteLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:write:${address}`, work)
}

/**
 * Runs `work` at once: alone where nobody changes the account's sealed state at the moment, and beside whoever does
 * otherwise.
 *
 * @param work told whether it is alone
 */
export async function ifWriteLockFree<T>(address: string, work: (free: boolean) => Promise<T>): Promise<T> {
  const name = `keyhole:write:${address}`
  const locks = globalThis.navigator?.locks
  if (locks) return await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))
  return chains.has(name) ? await work(false) : await withLock(name, () => work(true))
}

/**
 * Alone among everything that writes an account's records: from the database's transaction until the mirror has it too.
 * May be asked for while holding the write lock, and never the other way round.
 */
export async function withStorageLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:storage:${address}`, work)
}

/**
 * Alone among everything that reads the whole of an account's mirror or puts its files together. May be asked for while
 * holding the write lock, and never the other way round; taken before the storage lock.
 */
export async function withMirrorLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:mirror:${address}`, work)
}

/** Alone among the tabs that delete what has expired. Taken before the write lock. */
export async function withCleanupLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:cleanup:${address}`, work)
}

/** Alone among the tabs that change the list of known accounts. */
export async function withCanaryLock<T>(work: () => Promise<T>): Promise<T> {
  return await withLock('keyhole:canary', work)
}
