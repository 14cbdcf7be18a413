import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endable } from './endable.ts'

const newWorker = () => ({ postMessage: vi.fn(), terminate: vi.fn() })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('has a worker end itself, and terminates it after two seconds', () => {
  const worker = newWorker()
  const end = endable(worker)
  vi.advanceTimersByTime(60_000)
  expect(worker.postMessage).not.toHaveBeenCalled()
  end()
  expect(worker.postMessage.mock.calls).toEqual([[{ do: 'end' }]])
  vi.advanceTimersByTime(1_999)
  expect(worker.terminate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(worker.terminate).toHaveBeenCalledOnce()
})

test.each(['one that works', 'one that is ending'])(
  'terminates %s at once when the page is left',
  (which) => {
    const worker = newWorker()
    const end = endable(worker)
    if (which === 'one that is ending') end()
    dispatchEvent(new Event('pagehide'))
    dispatchEvent(new Event('pagehide'))
    vi.advanceTimersByTime(60_000)
    expect(worker.terminate).toHaveBeenCalledOnce()
  },
)
