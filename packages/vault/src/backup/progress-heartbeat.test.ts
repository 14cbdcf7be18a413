import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { BackupWork } from './backup-work.ts'
import { withProgressHeartbeat } from './progress-heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('repeats the last progress until there is new progress, and says when all is done', async () => {
  const told: string[] = []
  const request = { onProgress: (done: number, total: number) => void told.push(`${done} of ${total}`) }
  let end = (_: string) => {}
  const over = new Promise<string>((resolve) => {
    end = resolve
  })
  let tell: BackupWork['onProgress']
  const working = withProgressHeartbeat(request, async ({ onProgress }) => {
    tell = onProgress
    return await over
  })
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual([])
  tell?.(1, 3)
  vi.advanceTimersByTime(900)
  expect(told).toEqual(['1 of 3', '1 of 3', '1 of 3'])
  tell?.(2, 3)
  vi.advanceTimersByTime(399)
  expect(told.slice(3)).toEqual(['2 of 3'])
  end('done')
  expect(await working).toBe('done')
  vi.advanceTimersByTime(5_000)
  expect(told.slice(3)).toEqual(['2 of 3', '3 of 3'])
})

it('stops reporting when the work fails', async () => {
  const onProgress = vi.fn()
  const work = async (request: BackupWork) => {
    request.onProgress?.(1, 2)
    throw new Error('refused')
  }
  await expect(withProgressHeartbeat({ onProgress }, work)).rejects.toThrow('refused')
  vi.advanceTimersByTime(5_000)
  expect(onProgress).toHaveBeenCalledOnce()
})
