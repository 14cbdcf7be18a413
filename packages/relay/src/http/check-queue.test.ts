import { describe, expect, it } from 'vitest'
import { CheckQueue } from './check-queue.ts'

/** A queue with clocks that only checks move on. */
function begin() {
  let now = 0
  let used = 0
  const queue = new CheckQueue({ clock: () => now, processorTime: () => used })
  const done: string[] = []
  const check = (address: string, milliseconds: number, name = address, lasts = milliseconds) =>
    queue.run(address, async () => {
      await Promise.resolve()
      now += lasts
      used += milliseconds
      done.push(name)
      return name
    })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { check, done, pass }
}

/** A different network for each number. */
const address = (number: number) => `192.0.${number >> 8}.${number & 255}`

describe('the check queue', () => {
  it('passes on results and errors', async () => {
    const queue = new CheckQueue({ clock: () => 0, processorTime: () => 0 })
    expect(await queue.run('::1', async () => 7)).toBe(7)
    await expect(queue.run('::1', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run('::1', async () => 8)).toBe(8)
  })

  it('runs the check of the cheapest network first', async () => {
    const { check, done } = begin()
    await check('192.0.2.1', 250, 'dear')
    done.length = 0
    const all = [
      check('192.0.2.9', 1, 'running'),
      check('192.0.2.1', 250, 'dear 1'),
      check('192.0.2.1', 250, 'dear 2'),
      check('192.0.2.2', 1, 'cheap'),
    ]
    await Promise.all(all)
    expect(done).toEqual(['running', 'cheap', 'dear 1', 'dear 2'])
  })

  it('limits what waits for one network', async () => {
    const { check } = begin()
    const running = check('198.51.100.1', 1)
    const own = Array.from({ length: 64 }, (_, at) => check(`2001:db8::${at}`, 1))
    await expect(check('2001:db8:0:ff::1', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
    await expect(check('2001:db8:0:100::1', 1)).resolves.toBeDefined()
    await Promise.all([running, ...own])
  })

  it('stops a network that has spent too much, for a while', async () => {
    const { check, pass } = begin()
    for (let at = 0; at < 13; at += 1) await check('192.0.2.1', 250)
    await expect(check('192.0.2.1', 250)).rejects.toMatchObject({ code: 'too_many_requests' })
    await check('192.0.2.2', 1)
    pass(10_000)
    await check('192.0.2.1', 250)
  })

  it('charges what a check used, not how long it waited', async () => {
    const { check } = begin()
    for (let at = 0; at < 1_000; at += 1) await check('192.0.2.1', 0.5, 'honest', 100)
    for (let at = 0; at < 1_000; at += 1) await check('192.0.2.1', 100, 'beside other work', 0.5)
  })

  it('stops what waits of a network that has spent too much', async () => {
    const { check, done } = begin()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => check('192.0.2.1', 250, 'dear')),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    // 3 s, what is refilled meanwhile, and the check that goes past it.
    expect(done).toHaveLength(13)
    expect(refused).toHaveLength(27)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'too_many_requests' } })
    await check('192.0.2.2', 1)
  })

  it('drops the check of the most expensive network when it is full', async () => {
    const { check } = begin()
    await check(address(0), 250)
    const running = check('198.51.100.1', 1)
    const dear = expect(check(address(0), 250)).rejects.toMatchObject({ code: 'unavailable' })
    const others = Array.from({ length: 127 }, (_, at) => check(address(at + 1), 1))
    // It is full now, so the expensive one is dropped. Among equals, the last one is refused.
    const late = check(address(200), 1)
    const tooLate = expect(check(address(201), 1)).rejects.toMatchObject({ code: 'unavailable' })
    await Promise.all([dear, tooLate, running, late, ...others])
  })

  it('drops a check of the network that has the most waiting when it is full', async () => {
    const { check } = begin()
    const running = check('198.51.100.1', 1)
    const one = Array.from({ length: 64 }, () => check(address(1), 1))
    const two = Array.from({ length: 63 }, () => check(address(2), 1))
    const three = check(address(3), 1)
    const four = check(address(4), 1)
    const outcomes = await Promise.allSettled(one)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await Promise.all([running, ...two, three, four])
  })
})
