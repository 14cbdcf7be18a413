/** Options for slow work on a backup. */
export interface BackupWork {
  /** Stops the work and undoes it. */
  readonly signal?: AbortSignal
  /** How many tokens are done, out of about how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Counts progress. A backup's tokens are processed twice, to check and to write them, so each pass counts half. */
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
 * Waits for work that can't be stopped, such as deriving a key, but no longer than until an abort. The caller must undo
 * what the work does after that.
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
