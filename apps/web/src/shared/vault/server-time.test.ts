import { afterEach, expect, test, vi } from 'vitest'
import { serverTime } from './server-time.ts'

afterEach(() => vi.unstubAllGlobals())

const NOON = 'Mon, 23 Nov 2026 12:00:00 GMT'

test.each([
  ['the date of the answer', { Date: NOON }, 200, Date.parse(NOON)],
  ['the date plus its age', { Date: NOON, Age: '60' }, 200, Date.parse(NOON) + 60_000],
  ['nothing without a date', {}, 200, undefined],
  ['nothing for an invalid date', { Date: 'soon' }, 200, undefined],
  ['nothing for an error', { Date: NOON }, 502, undefined],
])('%s', async (_what, headers, status, expected) => {
  const answer = vi.fn(async () => new Response(null, { status, headers }))
  vi.stubGlobal('fetch', answer)
  expect(await serverTime()).toBe(expected)
  expect(answer).toHaveBeenCalledWith(expect.stringMatching(/^\//), { method: 'HEAD', cache: 'no-store' })
})

test('nothing while offline', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')))
  expect(await serverTime()).toBeUndefined()
})
