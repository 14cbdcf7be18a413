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

/** The lock for changes to an account's sealed state, held from the enclave's change until it is stored. */
export async function withWriteLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:write:${address}`, work)
}

/**
 * Runs `work` at once: with the write lock if it's free, without it otherwise.
 * @param work told whether it holds the lock
 */
export async function ifWriteLockFree<T>(address: string, work: (free: boolean) => Promise<T>): Promise<T> {
  const name = `keyhole:write:${address}`
  const locks = globalThis.navigator?.locks
  if (locks) return await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))
  return chains.has(name) ? await work(false) : await withLock(name, () => work(true))
}

/**
 * The lock for writing an account's records to the database. May be taken while holding the write lock, never the other
 * way round.
 */
export async function withCommitLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:storage:${address}`, work)
}

const copyLockOf = (address: string) => `keyhole:copy:${address}`

/** What is being copied in this tab, where locks don't reach other tabs. */
const copying = new Map<string, Promise<unknown>>()

/**
 * Begins to copy to the mirror what was just committed, beside other copying. The caller holds the commit lock, and may
 * release it once this resolves.
 * @returns `copied` settles as `work` does
 */
export async function beginCopying(
  address: string,
  work: () => Promise<void>,
): Promise<{ readonly copied: Promise<void> }> {
  const name = copyLockOf(address)
  const locks = globalThis.navigator?.locks
  if (!locks) {
    const copied = work()
    copying.set(name, Promise.allSettled([copying.get(name), copied]))
    return { copied }
  }
  let copied: Promise<void> | undefined
  await new Promise<void>((begun, failed) => {
    copied = locks.request(name, { mode: 'shared' }, async () => {
      begun()
      await work()
    })
    copied.catch(failed)
  })
  return { copied: copied ?? Promise.resolve() }
}

/**
 * The lock for looking at an account's database and mirror together, and for changing both: what was committed before
 * has been copied, and nothing is committed meanwhile. May be taken while holding the write lock, never the other way
 * round.
 */
export async function withStorageLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withCommitLock(address, async () => {
    await copying.get(copyLockOf(address))
    return await withLock(copyLockOf(address), work)
  })
}

/** The lock for writing the mirror's copy of an account's sealed state. Taken last. */
export async function withStateCopyLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  return await withLock(`keyhole:state-copy:${address}`, work)
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
