import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../test/parts.ts'
import { lockLogin } from './login-lock.ts'
import { loginPath } from './stored-login.ts'

const MINUTES = 600_000

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
