import { beforeEach, describe, expect, it } from 'vitest'
import { type LocalValues, memoryValues } from '../base/local-values.ts'
import { TestClock } from '../test/clock.ts'
import { Attempts, waitAfter } from './attempts.ts'

async function attempt<T>(
  attempts: Attempts,
  address: string,
  work: () => Promise<T>,
  isWrong: (error: unknown) => boolean,
): Promise<T> {
  return await attempts.begin(address).outcome(work(), isWrong)
}

const ADDRESS = 'kh1alice'
const KEY = `keyhole:attempts:${ADDRESS}`

let clock: TestClock
let values: LocalValues
beforeEach(() => {
  clock = new TestClock()
  values = memoryValues()
})

const isWrong = (error: unknown) => error instanceof Error && error.message === 'wrong'
const wrong = () => Promise.reject(new Error('wrong'))
const right = () => Promise.resolve('open')

/** A new tab, without the counts of earlier ones. */
const tab = () => new Attempts(clock, values)

async function fail(attempts: Attempts, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    clock.pass(60_000)
    await expect(attempt(attempts, ADDRESS, wrong, isWrong)).rejects.toThrow('wrong')
  }
}

it('waits 1 s from the third wrong answer on, doubling to 60 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_000_000].map(waitAfter)).toEqual([
    ...[0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000],
  ])
})

it('refuses before it tries, and says when to try again', async () => {
  const attempts = tab()
  await fail(attempts, 3)
  let asked = false
  const ask = async () => {
    asked = true
  }
  const retryAt = clock.now() + 1_000
  await expect(attempt(attempts, ADDRESS, ask, isWrong)).rejects.toMatchObject({
    ...{ code: 'OPERATION_FAILED', details: { retryAt } },
  })
  expect(asked).toBe(false)
  clock.pass(1_000)
  await attempt(attempts, ADDRESS, ask, isWrong)
  expect(asked).toBe(true)
})

it('a right attempt resets the count, here and in another tab', async () => {
  const [here, there] = [tab(), tab()]
  await fail(here, 4)
  clock.pass(60_000)
  expect(await attempt(there, ADDRESS, right, isWrong)).toBe('open')
  for (const attempts of [here, there]) {
    await expect(attempt(attempts, ADDRESS, wrong, isWrong)).rejects.toThrow('wrong')
  }
  expect(await attempt(here, ADDRESS, right, isWrong)).toBe('open')
})

it('a failure for another reason does not count', async () => {
  const attempts = tab()
  for (let time = 0; time < 10; time += 1) {
    await expect(
      attempt(attempts, ADDRESS, () => Promise.reject(new Error('mistyped')), isWrong),
    ).rejects.toThrow('mistyped')
  }
  expect(await attempt(attempts, ADDRESS, right, isWrong)).toBe('open')
})

it('counts for each account separately', async () => {
  const attempts = tab()
  await fail(attempts, 5)
  expect(await attempt(attempts, 'kh1bob', right, isWrong)).toBe('open')
})

describe('cannot be bypassed', () => {
  const refused = (attempts: Attempts) =>
    expect(attempt(attempts, ADDRESS, right, isWrong)).rejects.toMatchObject({
      ...{ code: 'OPERATION_FAILED', details: { retryAt: expect.any(Number) } },
    })

  it('by another tab, or a reload', async () => {
    await fail(tab(), 3)
    await refused(tab())
  })

  it('by closing the tab in the middle of an attempt', async () => {
    await fail(tab(), 2)
    clock.pass(60_000)
    void attempt(tab(), ADDRESS, () => new Promise(() => undefined), isWrong)
    await refused(tab())
  })

  it('by setting the clock back, which restarts the wait but does not extend it', async () => {
    const attempts = tab()
    await fail(attempts, 9)
    clock.set(clock.now() - 86_400_000)
    await refused(attempts)
    clock.pass(59_999)
    await refused(attempts)
    clock.pass(1)
    expect(await attempt(attempts, ADDRESS, right, isWrong)).toBe('open')
  })

  it.each([
    ...['', 'nonsense', '{}', 'null', '[]', '{"failures":-5,"at":0}', '{"failures":"0","at":0}'],
    ...['{"failures":0.5,"at":0}', '{"failures":1e999,"at":0}', '{"failures":3}'],
  ])('by an invalid count: %s', async (value) => {
    values.write(KEY, value)
    await refused(tab())
    clock.pass(60_000)
    expect(await attempt(tab(), ADDRESS, right, isWrong)).toBe('open')
  })

  it('by removing the count while the tab is open', async () => {
    const attempts = tab()
    await fail(attempts, 5)
    values.remove(KEY)
    await refused(attempts)
  })

  it('by a count from the future', async () => {
    values.write(KEY, JSON.stringify({ failures: 1_000_000, at: clock.now() + 1e12 }))
    await refused(tab())
    clock.pass(60_000)
    expect(await attempt(tab(), ADDRESS, right, isWrong)).toBe('open')
  })
})
