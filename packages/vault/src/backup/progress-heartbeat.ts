import type { BackupWork } from './backup-work.ts'

/** Repeat the last progress after this long, in milliseconds. */
const BEAT = 400

/**
 * Repeats the last progress report during steps that report none: deriving a key, opening a database and saving an
 * account take a while. When the work is done, reports that all of it is.
 * @param work gets a request whose `onProgress` it must call
 */
export async function withProgressHeartbeat<R extends BackupWork, T>(
  request: R,
  work: (request: R) => Promise<T>,
): Promise<T> {
  const { onProgress } = request
  if (!onProgress) return await work(request)
  let beat: ReturnType<typeof setInterval> | undefined
  let left: number | undefined
  const tell = (done: number, total: number) => {
    left = done < total ? total : undefined
    clearInterval(beat)
    beat = setInterval(() => onProgress(done, total), BEAT)
    onProgress(done, total)
  }
  try {
    const result = await work({ ...request, onProgress: tell })
    if (left !== undefined) onProgress(left, left)
    return result
  } finally {
    clearInterval(beat)
  }
}
