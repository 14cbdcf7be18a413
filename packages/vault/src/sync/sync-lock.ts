/**
 * Runs `work` while holding the lock for keeping an account's devices in step: one tab does it. Where there are no Web
 * Locks, each tab does.
 * @param waits called if another tab holds it now
 * @throws the signal's reason, if it's aborted before the lock is free
 */
export async function withSyncLock(
  address: string,
  signal: AbortSignal,
  waits: () => void,
  work: () => Promise<void>,
): Promise<void> {
  const locks = globalThis.navigator?.locks
  if (!locks) return await work()
  const name = `keyhole:devices:${address}`
  const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
  if (isFree || signal.aborted) return
  waits()
  await locks.request(name, { signal }, work)
}
