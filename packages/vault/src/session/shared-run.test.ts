import { expect, it, vi } from 'vitest'
import { SharedRun } from './shared-run.ts'

/** Work whose runs the test ends, in order. */
function heldWork() {
  const runs: { end(): void; fail(error: Error): void }[] = []
  const work = vi.fn(() => new Promise<void>((end, fail) => runs.push({ end, fail })))
  return { work, runs, shared: new SharedRun(work, 0) }
}

it('runs once for all who ask at the same time, and once more for all who ask meanwhile', async () => {
  const { work, runs, shared } = heldWork()
  const first = [shared.run(), shared.run()]
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  const later = [shared.run(), shared.run(), shared.run()]
  expect(work).toHaveBeenCalledTimes(1)
  runs[0]?.end()
  await Promise.all(first)
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2))
  runs[1]?.end()
  await Promise.all(later)
  expect(work).toHaveBeenCalledTimes(2)
})

it('tells a failure to those who asked for that run, and runs again for the next', async () => {
  const { work, runs, shared } = heldWork()
  const first = shared.run()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  const later = shared.run()
  runs[0]?.fail(new Error('not now'))
  await expect(first).rejects.toThrow('not now')
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2))
  runs[1]?.end()
  await later
})
