// A lock that processes of one machine share: a file beside what it is about.
import { type FileHandle, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { GateError } from '../errors.ts'
import { create, isStale, release, SIGNS, SILENCE, signOf, takeAway } from './lock-file.ts'

/** How long to wait for another process, and between two looks, in milliseconds. */
const PATIENCE = 45_000
const PAUSE = 50

/**
 * Runs work on a file that no other process does at the same time.
 *
 * @param others what another process may be doing to it, such as “renewing the login”
 * @throws GateError SERVER_FAILED if another process takes too long
 */
export async function withFileLock<T>(path: string, others: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await take(lock, path, others)
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
async function take(lock: string, path: string, others: string): Promise<FileHandle> {
  const until = performance.now() + PATIENCE
  let [sign, since] = ['', 0]
  for (;;) {
    const file = await create(lock)
    if (file) return file
    const seen = await stat(lock).catch(() => undefined)
    const now = performance.now()
    if (seen && signOf(seen) !== sign) [sign, since] = [signOf(seen), now]
    // The clock alone doesn't tell: it may have been set.
    if (seen && isStale(seen) && now - since > SILENCE) await takeAway(lock, sign)
    if (now > until) throw new GateError('SERVER_FAILED', `Another process is ${others} ${path}. Try again.`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}
