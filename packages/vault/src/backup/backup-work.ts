/** Options for slow work on a backup. */
export interface BackupWork {
  /** Stops the work and undoes it. */
  readonly signal?: AbortSignal
  /** How many tokens are done, out of about how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Counts progress, from 0. The last hundredth is left for what follows: deriving a key and saving the account. That all
 * is done is told by `withProgressHeartbeat`.
 * @param passes how often each token is processed: twice if it's checked and then written, and each pass counts half
 */
export function progressOf(
  { total }: { total: number },
  { onProgress }: BackupWork,
  passes: 1 | 2,
): (more: number) => void {
  const most = total - Math.ceil(total / 100)
  let done = 0
  let told = 0
  onProgress?.(0, total)
  return (more) => {
    done += more
    const share = Math.min(Math.floor(done / passes), most)
    if (share === told) return
    told = share
    onProgress?.(share, total)
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
