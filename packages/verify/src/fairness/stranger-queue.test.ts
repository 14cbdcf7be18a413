import { expect, it, onTestFinished, vi } from 'vitest'
import { StrangerQueue } from './stranger-queue.ts'

it('keeps no process up while it pauses, unless a check waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const pauses = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => {
    pauses.mockRestore()
    vi.useRealTimers()
  })
  let now = 0
  const queue = new StrangerQueue(
    () => true,
    () => now,
  )
  const run = (order: number) =>
    queue.run({ address: '192.0.2.1', order, isGood: () => true }, async () => {
      now += 1_000
      return order
    })
  expect(await run(1)).toBe(1)
  const isHeld = () => pauses.mock.results.at(-1)?.value.hasRef()
  expect(isHeld()).toBe(false)
  const next = run(2)
  expect(isHeld()).toBe(true)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(await next).toBe(2)
  expect(isHeld()).toBe(false)
})
