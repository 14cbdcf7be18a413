import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { folder } from '../test/parts.ts'
import { lockLogin } from './login-lock.ts'
import { loginPath } from './stored-login.ts'

const MINUTES = 600_000

/** Runs before a file is renamed, linked or created. */
let before = async (_call: string, _path: string): Promise<void> => {}
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const observed = <A extends [string, ...unknown[]], R>(call: string, act: (...args: A) => Promise<R>) => {
    return async (...args: A) => {
      await before(call, args[0])
      return await act(...args)
    }
  }
  return {
    ...real,
    rename: observed('rename', real.rename as never),
    link: observed('link', real.link as never),
    open: observed('open', real.open as never),
  }
})

/** Makes a lock look as if its owner had not been heard of for long. */
async function age(lock: string): Promise<void> {
  const old = new Date(Date.now() - MINUTES)
  await utimes(lock, old, old)
}

/** Work that ends when it is told to. */
function endless() {
  let begin = () => {}
  let end = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = async () => {
    begin()
    await ended
  }
  return { work, begun, end }
}

it('is not taken from a process that still works, however long it takes', async () => {
  const path = loginPath(await folder(), 'far')
  const lock = `${path}.lock`
  const { work, begun, end } = endless()
  const first = lockLogin(path, work)
  await begun
  await age(lock)
  let isOver = false
  const second = lockLogin(path, async () => isOver)
  await expect
    .poll(async () => (await stat(lock)).mtimeMs, { timeout: 20_000 })
    .toBeGreaterThan(Date.now() - MINUTES / 2)
  isOver = true
  end()
  await first
  expect(await second).toBe(true)
})

it('is taken by one of those who wait, if it was left behind', async () => {
  const path = loginPath(await folder(), 'far')
  await lockLogin(path, async () => {})
  await writeFile(`${path}.lock`, '')
  await age(`${path}.lock`)
  let [working, most] = [0, 0]
  const work = async () => {
    working += 1
    most = Math.max(most, working)
    await new Promise((resolve) => setTimeout(resolve, 5))
    working -= 1
  }
  await Promise.all(Array.from({ length: 8 }, () => lockLogin(path, work)))
  expect(most).toBe(1)
  expect(await readdir(dirname(path))).toEqual([])
})

it('stays with whoever took it meanwhile', async () => {
  const path = loginPath(await folder(), 'far')
  const lock = `${path}.lock`
  await lockLogin(path, async () => {
    await rm(lock)
    await writeFile(lock, 'another process')
  })
  expect((await stat(lock)).size).toBeGreaterThan(0)
})

it('stays with whoever took it while another had decided to take it away', async () => {
  const path = loginPath(await folder(), 'far')
  const lock = `${path}.lock`
  await lockLogin(path, async () => {})
  await writeFile(lock, '')
  await age(lock)
  let [working, most] = [0, 0]
  const ends: (() => void)[] = []
  const others: Promise<void>[] = []
  /** Begins work that goes on until it is ended. */
  const begin = async () => {
    const { work, begun, end } = endless()
    ends.push(end)
    const counted = async () => {
      working += 1
      most = Math.max(most, working)
      await work()
      working -= 1
    }
    others.push(lockLogin(path, counted))
    await begun
  }
  let isLate = false
  let looks = 0
  before = async (call, file) => {
    if (!isLate && (call === 'rename' || (call === 'open' && file !== lock))) {
      isLate = true
      await begin()
      looks = 0
    }
    if (file === lock) looks += 1
    if (call === 'link') await begin()
  }
  onTestFinished(() => {
    before = async () => {}
  })
  const late = lockLogin(path, async () => {
    most = Math.max(most, working + 1)
  })
  await expect.poll(() => working, { timeout: 20_000 }).toBe(1)
  // It looks at the lock again, and leaves it.
  await expect.poll(() => looks).toBeGreaterThan(2)
  for (const end of ends) end()
  await Promise.all([late, ...others])
  expect(most).toBe(1)
  expect(await readdir(dirname(path))).toEqual([])
})

it('is taken although a process ended while it took it away', async () => {
  const path = loginPath(await folder(), 'far')
  await lockLogin(path, async () => {})
  for (const left of [`${path}.lock`, `${path}.lock.taking`]) {
    await writeFile(left, '')
    await age(left)
  }
  expect(await lockLogin(path, async () => 'taken')).toBe('taken')
  expect(await readdir(dirname(path))).toEqual([])
})
