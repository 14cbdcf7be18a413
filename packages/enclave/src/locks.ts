/** A lock that is held until it is released. */
export type Release = () => void

/**
 * Takes a Web Lock and holds it.
 * @param patience how long to wait for it, in milliseconds
 * @returns its release; undefined if another holder kept it longer
 */
export async function holdLock(
  locks: LockManager,
  name: string,
  mode: LockMode,
  patience: number,
): Promise<Release | undefined> {
  const waiting = AbortSignal.timeout(patience)
  return new Promise((resolve, reject) => {
    locks
      .request(name, { mode, signal: waiting }, () => new Promise<void>((release) => resolve(release)))
      .catch((error: unknown) => (waiting.aborted ? resolve(undefined) : reject(error)))
  })
}

/** A lock with a secret name. Someone who is told the name can wait for its holder to end. */
export interface OwnLock {
  readonly name: string
  readonly release: Release
}

/** Takes a Web Lock for this page or worker. @param kind what holds it, for its name */
export async function holdOwnLock(
  locks: LockManager | undefined,
  kind: 'client' | 'worker',
): Promise<OwnLock | undefined> {
  if (!locks) return undefined
  const name = `keyhole:${kind}:${crypto.randomUUID()}`
  const release = await holdLock(locks, name, 'exclusive', 10_000)
  return release && { name, release }
}

/** Resolves once a lock's holder has released it or is gone; never if `signal` aborts first. */
export async function whenReleased(locks: LockManager, name: string, signal: AbortSignal): Promise<void> {
  try {
    await locks.request(name, { signal }, () => undefined)
  } catch (error) {
    if (!signal.aborted) throw error
    await new Promise(() => {})
  }
}
