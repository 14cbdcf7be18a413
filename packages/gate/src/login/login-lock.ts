// The lock of a stored login: a file beside it.
import type { Stats } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { GateError } from '../errors.ts'

/** Who works says so this often, in milliseconds, by the time of the file. */
const SIGNS = 1_000
/** A lock was left behind if it is this old, and no sign comes while someone looks for so long. Milliseconds. */
const STALE = 60_000
const SILENCE = 3 * SIGNS
/** How long to wait for another process, and between two looks, in milliseconds. */
const PATIENCE = 45_000
const PAUSE = 50

/**
 * Runs work on a login that no other process does at the same time: an issuer may take a refresh token once.
 *
 * @throws GateError SERVER_FAILED if another process takes too long
 */
export async function lockLogin<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await take(lock, path)
  // By the file, not its name: it may be another process's by then.
  const sign = () => void file.utimes(new Date(), new Date()).catch(() => {})
  const signing = setInterval(sign, SIGNS)
  try {
    return await work()
  } finally {
    clearInterval(signing)
    await release(lock, file)
  }
}

/** Waits for its turn. @throws GateError SERVER_FAILED */
async function take(lock: string, path: string): Promise<FileHandle> {
  const until = performance.now() + PATIENCE
  let [sign, since] = ['', 0]
  for (;;) {
    const file = await create(lock)
    if (file) return file
    const seen = await stat(lock).catch(() => undefined)
    const now = performance.now()
    if (seen && signOf(seen) !== sign) [sign, since] = [signOf(seen), now]
    // The clock alone doesn't tell: it may have been set.
    if (seen && Date.now() - seen.mtimeMs > STALE && now - since > SILENCE) await takeAway(lock, sign)
    if (now > until)
      throw new GateError('SERVER_FAILED', `Another process is renewing the login ${path}. Try again.`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

/** Creates a file. @returns undefined if it exists */
async function create(path: string): Promise<FileHandle | undefined> {
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
 * deleted here, and the lock at a later look.
 */
async function takeAway(lock: string, sign: string): Promise<void> {
  const taking = `${lock}.taking`
  const began = performance.now()
  const file = await create(taking)
  if (!file) {
    const left = await stat(taking).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > STALE) await rm(taking, { force: true })
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

async function release(lock: string, file: FileHandle): Promise<void> {
  try {
    const [own, there] = await Promise.all([file.stat(), stat(lock).catch(() => undefined)])
    if (there?.ino === own.ino) await rm(lock, { force: true })
  } finally {
    await file.close()
  }
}

const signOf = ({ ino, mtimeMs }: Stats) => `${ino} ${mtimeMs}`
