import type { BackupWork } from './backup-work.ts'

/** How long nothing is told at most, in milliseconds. */
const BEAT = 400

/**
 * Does a work whose progress is told, and tells the last of it again where nothing was told for a while: deriving a key, opening a
 * database and saving an account are not counted, and take their time.
 *
 * @param work gets the request with which progress is to be told
 */
export async function withBeats<R extends BackupWork, T>(
  request: R,
  work: (request: R) => Promise<T>,
): Promise<T> {
  const { onProgress } = request
  if (!onProgress) return await work(request)
  let beat: ReturnType<typeof setInterval> | undefined
  const tell = (done: number, total: number) => {
    clearInterval(beat)
    beat = setInterval(() => onProgress(done, total), BEAT)
    onProgress(done, total)
  }
  try {
    return await work({ ...request, onProgress: tell })
  } finally {
    clearInterval(beat)
  }
}
