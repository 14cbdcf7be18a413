import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { folder } from '../test/parts.ts'
import { signOf, takeAway } from './lock-file.ts'

/** Runs before a file is deleted. */
let beforeDeleting = async (_path: string): Promise<void> => {}
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    async rm(path: string, options: object) {
      await beforeDeleting(path)
      await real.rm(path, options)
    },
  }
})

/** Files that were left behind. @returns the lock */
async function leftBehind(...endings: string[]): Promise<string> {
  const lock = join(await folder(), 'login.lock')
  for (const ending of endings) {
    await writeFile(lock + ending, 'left behind')
    const old = new Date(Date.now() - 600_000)
    await utimes(lock + ending, old, old)
  }
  return lock
}

/** Stops whoever deletes this file next. @returns when that is, and what lets them go on */
function stopAt(file: string) {
  let go = () => {}
  const going = new Promise<void>((resolve) => {
    go = resolve
  })
  const reached = new Promise<void>((resolve) => {
    const before = beforeDeleting
    beforeDeleting = async (path) => {
      if (path !== file) return await before(path)
      beforeDeleting = before
      resolve()
      await going
    }
  })
  return { reached, go }
}

it('lets one process at a time take a lock away, also where one ended while it did', async () => {
  onTestFinished(() => {
    beforeDeleting = async () => {}
  })
  const lock = await leftBehind('', '.taking')
  const sign = signOf(await stat(lock))
  // One has seen that the other file is old, and is slow to delete it.
  const slow = stopAt(`${lock}.taking`)
  const first = takeAway(lock, sign)
  await slow.reached
  // Another one comes as far as it can: to deleting the lock, or to its end.
  const last = stopAt(lock)
  const others = takeAway(lock, sign).then(() => takeAway(lock, sign))
  await Promise.race([last.reached, others])
  beforeDeleting = async () => {}
  // Now the first one goes on, takes the lock away at its next look, and has a lock of its own.
  slow.go()
  await first
  await takeAway(lock, sign)
  await writeFile(lock, 'of the first one')
  last.go()
  await others
  expect(await readFile(lock, 'utf8')).toBe('of the first one')
})

it('takes a lock away although several processes ended while they took it away', async () => {
  const lock = await leftBehind('', '.taking', '.taking.taking', '.taking.taking.taking')
  const sign = signOf(await stat(lock))
  for (let look = 0; look < 4; look += 1) {
    expect(await readdir(join(lock, '..'))).toHaveLength(4 - look)
    await takeAway(lock, sign)
  }
  expect(await readdir(join(lock, '..'))).toEqual([])
})
