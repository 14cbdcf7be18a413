// A file that one process at a time can have, and what is done about one that was left behind.
import type { Stats } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'

/** Who works says so this often, in milliseconds, by the time of the file. */
export const SIGNS = 1_000
/** A lock was left behind if it is this old, and no sign comes while someone looks for so long. Milliseconds. */
const STALE = 60_000
export const SILENCE = 3 * SIGNS

/** Creates a file. @returns undefined if it exists */
export async function create(path: string): Promise<FileHandle | undefined> {
  return await open(path, 'wx', 0o600).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    return undefined
  })
}

/**
 * Deletes a lock that was left behind. One process does so at a time, and looks at it again first: by an older look it
 * could delete the new lock of whoever was faster.
 *
 * Its own file is there for moments and without work in between. One as old as a stale lock was left behind too: it is
 * taken away in the same way, and the lock at a later look.
 *
 * @param sign of the lock that was left behind
 */
export async function takeAway(lock: string, sign: string): Promise<void> {
  const taking = `${lock}.taking`
  const began = performance.now()
  const file = await create(taking)
  if (!file) {
    const left = await stat(taking).catch(() => undefined)
    if (left && isStale(left)) await takeAway(taking, signOf(left))
    return
  }
  try {
    const seen = await stat(lock).catch(() => undefined)
    // If the machine slept meanwhile, its own file may have been deleted.
    const isInTime = performance.now() - began < SILENCE
    if (seen && isInTime && signOf(seen) === sign) await rm(lock, { force: true })
  } finally {
    await release(taking, file)
  }
}

/** Gives up a file of one's own. One that another process has created meanwhile stays. */
export async function release(lock: string, file: FileHandle): Promise<void> {
  try {
    const [own, there] = await Promise.all([file.stat(), stat(lock).catch(() => undefined)])
    if (there?.ino === own.ino) await rm(lock, { force: true })
  } finally {
    await file.close()
  }
}

/** What changes with each sign, and with each new lock. */
export const signOf = ({ ino, mtimeMs }: Stats) => `${ino} ${mtimeMs}`

/** Whether it is so old that it may have been left behind. */
export const isStale = ({ mtimeMs }: Stats) => Date.now() - mtimeMs > STALE
