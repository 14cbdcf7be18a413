const chains = new Map<string, Promise<unknown>>()

/**
 * Runs `work` alone among everything that asks for the same account's write lock: in all tabs where the browser has
 * Web Locks, and otherwise in this one (a chain of promises). Settles as `work` does.
 */
export async function withWriteLock<T>(address: string, work: () => Promise<T>): Promise<T> {
  const name = `keyhole:write:${address}`
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
