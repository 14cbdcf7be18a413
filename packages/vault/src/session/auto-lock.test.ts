import { beforeEach, describe, expect, it } from 'vitest'
import { type LocalValues, memoryValues } from '../base/local-values.ts'
import { TestClock } from '../test/clock.ts'
import { AUTO_LOCK_WARNING, AutoLock, DEFAULT_AUTO_LOCK } from './auto-lock.ts'

const ADDRESS = 'kh1alice'
const MARK = `keyhole:used:${ADDRESS}`
const LIMIT = DEFAULT_AUTO_LOCK

let clock: TestClock
let values: LocalValues
beforeEach(() => {
  clock = new TestClock()
  const memory = memoryValues()
  // Like localStorage: other tabs see what is written.
  values = { ...memory, write: (key, value) => memory.write(key, value) || true }
})

/** A tab with its own enclave, unlocked just now. */
function tab({ values: own = values, fails = 0 } = {}) {
  const seen = {
    locked: 0,
    locksAt: undefined as number | undefined,
    told: [] as number[],
    autoLock: undefined as unknown as AutoLock,
  }
  let failures = fails
  const autoLock = new AutoLock(clock, own, {
    async lock() {
      if (failures-- > 0) throw new Error('not now')
      seen.locked += 1
      autoLock.forget(ADDRESS)
      autoLock.end()
    },
    warn: (locksAt) => {
      seen.locksAt = locksAt
    },
    tell: (usedAt) => seen.told.push(usedAt),
  })
  seen.autoLock = autoLock
  autoLock.begin(ADDRESS)
  autoLock.use()
  return seen
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a vault without use', () => {
  it('warns 20 s before, and locks after 15 minutes', async () => {
    const seen = tab()
    clock.pass(LIMIT - AUTO_LOCK_WARNING - 1)
    expect(seen.locksAt).toBeUndefined()
    clock.pass(1)
    expect(seen.locksAt).toBe(clock.now() + AUTO_LOCK_WARNING)
    clock.pass(AUTO_LOCK_WARNING - 1)
    expect(seen.locked).toBe(0)
    clock.pass(1)
    await settle()
    expect(seen).toMatchObject({ locked: 1, locksAt: undefined })
    expect(clock.timers).toBe(0)
  })

  it('stays unlocked while it is used, or forever if so configured', () => {
    const seen = tab()
    for (let minute = 0; minute < 60; minute += 1) {
      clock.pass(60_000)
      seen.autoLock.touch()
    }
    seen.autoLock.limit = null
    clock.pass(365 * 86_400_000)
    expect(seen).toMatchObject({ locked: 0, locksAt: undefined })
    expect(clock.timers).toBe(0)
  })

  it('is postponed by a use while the warning shows, however soon after the last one', () => {
    const seen = tab()
    clock.pass(LIMIT - 1)
    expect(seen.locksAt).toBeDefined()
    seen.autoLock.touch()
    expect(seen.locksAt).toBeUndefined()
    clock.pass(LIMIT - AUTO_LOCK_WARNING - 1)
    expect(seen).toMatchObject({ locked: 0, locksAt: undefined })
  })

  it('applies a shorter limit at once, counted from the last use', async () => {
    const seen = tab()
    clock.pass(120_000)
    seen.autoLock.limit = 60_000
    expect(await seen.autoLock.check()).toBe(true)
    expect(seen.locked).toBe(1)
  })

  it('locks first when the machine wakes up after the deadline', async () => {
    const seen = tab()
    clock.sleep(LIMIT)
    expect(seen.locked).toBe(0)
    expect(await seen.autoLock.check()).toBe(true)
    expect(seen.locked).toBe(1)
  })

  it('ignores a touch after the deadline', async () => {
    const seen = tab()
    clock.sleep(LIMIT)
    seen.autoLock.touch()
    await settle()
    expect(seen.locked).toBe(1)
  })

  it('locks on time even if the clock is set back', async () => {
    const seen = tab()
    for (let time = 0; time < 10; time += 1) {
      clock.pass(LIMIT / 10)
      clock.set(clock.now() - LIMIT)
    }
    expect(await seen.autoLock.check()).toBe(false)
    await settle()
    expect(seen.locked).toBe(1)
  })

  it('tries again if locking failed', async () => {
    const seen = tab({ fails: 2 })
    clock.pass(LIMIT)
    for (let time = 0; time < 2; time += 1) {
      await settle()
      expect(seen.locked).toBe(0)
      clock.pass(1_000)
    }
    await settle()
    expect(seen.locked).toBe(1)
  })

  it('locks once, however many callers ask', async () => {
    const seen = tab()
    clock.sleep(LIMIT)
    await Promise.all([seen.autoLock.check(), seen.autoLock.check(), seen.autoLock.check()])
    expect(seen.locked).toBe(1)
  })
})

describe('several tabs', () => {
  it('hear about use at most once a second', () => {
    const seen = tab()
    const before = seen.told.length
    for (let time = 0; time < 30; time += 1) {
      clock.pass(100)
      seen.autoLock.touch()
    }
    expect(seen.told.length - before).toBe(3)
  })

  it('stay unlocked while one of them is used', async () => {
    const [here, there] = [tab(), tab()]
    clock.pass(LIMIT - 10_000)
    expect(there.locksAt).toBeDefined()
    here.autoLock.touch()
    there.autoLock.heard(here.told.at(-1) ?? 0)
    expect(there.locksAt).toBeUndefined()
    clock.pass(LIMIT - 1)
    await settle()
    expect([here.locked, there.locked]).toEqual([0, 0])
  })

  it('a tab that slept learns that another one was used', async () => {
    const [here, there] = [tab(), tab()]
    clock.pass(LIMIT - 30_000)
    here.autoLock.touch()
    // No message has arrived; the stored mark tells.
    clock.sleep(60_000)
    expect(await there.autoLock.check()).toBe(false)
  })

  it('a tab that slept learns that another one has locked', async () => {
    const [here, there] = [tab(), tab()]
    clock.sleep(60_000)
    here.autoLock.forget(ADDRESS)
    expect(await there.autoLock.check()).toBe(true)
    expect(there.locked).toBe(1)
  })

  it('only the first tab to lock finds the mark', () => {
    const [here, there] = [tab(), tab()]
    expect(here.autoLock.forget(ADDRESS)).toBe(true)
    expect(there.autoLock.forget(ADDRESS)).toBe(false)
  })

  it('ignores a use in the future or long ago', () => {
    const seen = tab()
    clock.pass(LIMIT - 10_000)
    seen.autoLock.heard(clock.now() + 1)
    seen.autoLock.heard(0)
    expect(seen.locksAt).toBeDefined()
  })

  it.each(['nonsense', '', '-1', '1e3', '99999999999999999999', '9999999999999999'])(
    'an invalid mark does not keep it open: %s',
    async (mark) => {
      const seen = tab()
      clock.pass(60_000)
      values.write(MARK, mark)
      expect(await seen.autoLock.check()).toBe(false)
      clock.pass(LIMIT - 60_000)
      await settle()
      expect(seen.locked).toBe(1)
    },
  )

  it('an old mark does not lock an account just unlocked elsewhere', async () => {
    values.write(MARK, String(clock.now() - 86_400_000))
    const seen = tab()
    expect(await seen.autoLock.check()).toBe(false)
  })

  it('a tab opened late continues from the last use', async () => {
    const here = tab()
    clock.sleep(LIMIT + 1)
    here.autoLock.end()
    const late = new AutoLock(clock, values, {
      lock: async () => void late.end(),
      warn: () => undefined,
      tell: () => undefined,
    })
    late.resume(ADDRESS)
    expect(await late.check()).toBe(true)
  })

  it('without shared storage each tab counts separately', async () => {
    const nowhere: LocalValues = { read: () => undefined, write: () => false, remove: () => undefined }
    const seen = tab({ values: nowhere })
    clock.pass(LIMIT - 1)
    expect(await seen.autoLock.check()).toBe(false)
    clock.pass(1)
    await settle()
    expect(seen.locked).toBe(1)
  })
})
