import { afterEach, expect, it, vi } from 'vitest'
import { planWorker } from './platform-browser.ts'

afterEach(() => vi.unstubAllGlobals())

it('tells the shared worker when its page goes for good, before another page can be there', async () => {
  const page = new EventTarget()
  const posted: unknown[] = []
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal(
    'SharedWorker',
    class extends EventTarget {
      readonly port = { postMessage: (message: unknown) => posted.push(message), close: () => undefined }
    },
  )
  const hide = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted }))

  const connection = await planWorker({}).spawn(() => undefined)
  // It comes back from the back/forward cache.
  hide(true)
  expect(posted).toEqual([])
  hide(false)
  expect(posted).toEqual([{ type: 'close' }])
  connection.terminate()
  hide(false)
  expect(posted).toHaveLength(1)
})
