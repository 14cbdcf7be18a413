import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PROTOCOL } from './messages.ts'
import { capabilityRequest } from './request.ts'
import { ask, type ConnectOptions } from './request-window.ts'
import { FakeApp } from './test/windows.ts'

const VAULT = 'https://vault.example'
const READY = { protocol: PROTOCOL, type: 'ready' }
const REQUEST = capabilityRequest({
  command: '/msg/send',
  audience: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function begin(options: Partial<ConnectOptions> = {}) {
  const app = new FakeApp()
  const answer = ask(REQUEST, { vault: VAULT, ...options }, app.asWindow)
  const [opened] = app.opened
  if (!opened) throw new Error('No window was opened')
  return { app, answer, ...opened }
}

/** The port from the last request to a window. */
function portOf(window: ReturnType<typeof begin>['window']): MessagePort {
  const port = window.heard.at(-1)?.ports[0]
  if (!port) throw new Error('Nothing was asked yet')
  return port
}

it('asks the opened window once it listens, and returns the token it sends', async () => {
  const { app, answer, window, url } = begin()
  expect(url).toBe('https://vault.example/connect')
  expect(window.heard).toEqual([])
  app.hears(READY, VAULT, window)
  expect(window.heard).toMatchObject([
    { data: { protocol: PROTOCOL, type: 'request', request: REQUEST }, target: VAULT },
  ])
  portOf(window).postMessage({ protocol: PROTOCOL, type: 'granted', token: 'Ctoken' })
  expect(await answer).toBe('Ctoken')
  expect(window.closed).toBe(true)
})

it.each([
  ['another origin', (window: object) => [READY, 'https://evil.example', window]],
  ['the vault’s origin with another port', (window: object) => [READY, 'https://vault.example:8443', window]],
  ['another window of the vault', () => [READY, VAULT, {}]],
  ['no window', () => [READY, VAULT, null]],
  ['another protocol', (window: object) => [{ protocol: 'keyhole-connect-2', type: 'ready' }, VAULT, window]],
  ['a message that is not an object', (window: object) => ['ready', VAULT, window]],
  [
    'a token before it asked',
    (window: object) => [{ protocol: PROTOCOL, type: 'granted', token: 'C' }, VAULT, window],
  ],
] as const)('does not hear %s', async (_name, from) => {
  const { app, answer, window } = begin()
  const [data, origin, source] = from(window)
  app.hears(data, origin as string, source)
  expect(window.heard).toEqual([])
  window.closed = true
  const refused = expect(answer).rejects.toMatchObject({ code: 'CLOSED' })
  await vi.advanceTimersByTimeAsync(1000)
  await refused
})

it('asks again if the window is reloaded, and only accepts the last answer', async () => {
  const { app, answer, window } = begin()
  app.hears(READY, VAULT, window)
  const before = portOf(window)
  app.hears(READY, VAULT, window)
  expect(window.heard).toHaveLength(2)
  before.postMessage({ protocol: PROTOCOL, type: 'granted', token: 'Cold' })
  portOf(window).postMessage({ protocol: PROTOCOL, type: 'granted', token: 'Cnew' })
  expect(await answer).toBe('Cnew')
})

it('reports a refusal and its code', async () => {
  const { app, answer, window } = begin()
  app.hears(READY, VAULT, window)
  portOf(window).postMessage({ protocol: PROTOCOL, type: 'refused', code: 'DECLINED', message: 'No.' })
  await expect(answer).rejects.toMatchObject({ name: 'ConnectError', code: 'DECLINED', message: 'No.' })
})

it.each([
  {},
  'Ctoken',
  { protocol: PROTOCOL, type: 'granted' },
  { protocol: PROTOCOL, type: 'refused', code: 'NONSENSE', message: '' },
])('rejects %j as an answer', async (data) => {
  const { app, answer, window } = begin()
  app.hears(READY, VAULT, window)
  portOf(window).postMessage(data)
  await expect(answer).rejects.toMatchObject({ code: 'UNSUPPORTED' })
})

it('waits for an answer on its way when the window closes, but no longer', async () => {
  const { app, answer, window } = begin()
  app.hears(READY, VAULT, window)
  window.closed = true
  const refused = expect(answer).rejects.toMatchObject({ code: 'CLOSED' })
  await vi.advanceTimersByTimeAsync(250)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(250)
  await refused
  expect(vi.getTimerCount()).toBe(0)
})

it('reports that a window was blocked, that no one decided, and that it was aborted', async () => {
  const app = new FakeApp()
  app.blocks = true
  expect(() => ask(REQUEST, { vault: VAULT }, app.asWindow)).toThrow(
    expect.objectContaining({ code: 'BLOCKED' }),
  )

  const late = begin({ timeout: 1000 })
  const timedOut = expect(late.answer).rejects.toMatchObject({ code: 'TIMEOUT' })
  await vi.advanceTimersByTimeAsync(1000)
  await timedOut
  expect(late.window.closed).toBe(true)

  const stop = new AbortController()
  const left = begin({ signal: stop.signal })
  stop.abort(new Error('Gone'))
  await expect(left.answer).rejects.toThrow('Gone')
  expect(left.window.closed).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([Number.POSITIVE_INFINITY, 2 ** 31, Number.MAX_SAFE_INTEGER])(
  'waits for %d ms, or as long as a timer allows',
  async (timeout) => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const { app, answer, window } = begin({ timeout })
    expect(timer.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([2 ** 31 - 1])
    await vi.advanceTimersByTimeAsync(600_001)
    expect(window.closed).toBe(false)
    app.hears(READY, VAULT, window)
    portOf(window).postMessage({ protocol: PROTOCOL, type: 'granted', token: 'Clate' })
    expect(await answer).toBe('Clate')
    expect(vi.getTimerCount()).toBe(0)
    timer.mockRestore()
  },
)
