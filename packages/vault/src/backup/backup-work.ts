/** Work on a backup that takes long. */
export interface BackupWork {
  /** Ends the work; nothing of it stays then. */
  readonly signal?: AbortSignal
  /** How many tokens have been done, of about how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Counts what was done. A backup's tokens are gone through twice, to check and to write them: each time is half of the way. */
export function progressOf({ total }: { total: number }, { onProgress }: BackupWork): (more: number) => void {
  let done = 0
  let told = 0
  return (more) => {
    done += more
    const half = Math.min(Math.floor(done / 2), total)
    if (half === told) return
    told = half
    onProgress?.(half, total)
  }
}

/**
 * Waits for a work that cannot be ended, such as deriving a key, until a stop and no longer. What it does after that is for the
 * caller to undo.
 *
 * @throws the signal's reason, at once; what the work throws
 */
export async function untilStopped<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return await work()
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
