import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** What the waiting worker was told. */
const told = vi.fn<(message: string) => void>()

/** As much of a registration as we use: a worker can arrive and become installed. */
class FakeRegistration extends EventTarget {
  installing: (EventTarget & { state: string; postMessage: typeof told }) | null = null
  waiting = null
  /** The version that runs, or null on the first visit. */
  active: object | null = {}
  readonly update = vi.fn(async () => undefined)

  install(): void {
    const worker = Object.assign(new EventTarget(), { state: 'installing', postMessage: told })
    this.installing = worker
    this.dispatchEvent(new Event('updatefound'))
    worker.state = 'installed'
    worker.dispatchEvent(new Event('statechange'))
  }
}

let registration: FakeRegistration
const register = vi.fn<(url: string, options: object) => Promise<FakeRegistration>>()

beforeEach(() => {
  told.mockReset()
  registration = new FakeRegistration()
  register.mockReset().mockResolvedValue(registration)
  vi.resetModules()
  vi.stubEnv('DEV', false)
  vi.useFakeTimers()
  vi.stubGlobal('document', { readyState: 'complete' })
  vi.stubGlobal('location', new URL('https://keyhole.example/'))
  vi.stubGlobal('navigator', { serviceWorker: { register, controller: {} } })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const load = async () => await import('./service-worker.ts')

test('is registered from /sw.js at scope / once the page has loaded, not before', async () => {
  const onLoad: (() => void)[] = []
  vi.stubGlobal('document', { readyState: 'loading' })
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    if (name === 'load') onLoad.push(listener)
  })
  const { registerServiceWorker } = await load()
  registerServiceWorker()
  expect(register).not.toHaveBeenCalled()
  for (const listener of onLoad) listener()
  expect(register).toHaveBeenCalledExactlyOnceWith('https://keyhole.example/sw.js', { scope: '/' })
})

test('is checked for updates every 3,600,000 ms', async () => {
  const { registerServiceWorker, UPDATE_INTERVAL } = await load()
  expect(UPDATE_INTERVAL).toBe(3_600_000)
  registerServiceWorker()
  await vi.advanceTimersByTimeAsync(3_599_999)
  expect(registration.update).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(registration.update).toHaveBeenCalledOnce()
  registration.update.mockRejectedValueOnce(new Error('offline'))
  await vi.advanceTimersByTimeAsync(7_200_000)
  expect(registration.update).toHaveBeenCalledTimes(3)
})

test.each(['not active yet', 'active'])(
  'the first version is not offered if it controls the page before that hears that it is installed, %s',
  async (which) => {
    registration.active = null
    const { isUpdateReady, registerServiceWorker } = await load()
    registerServiceWorker()
    await vi.advanceTimersByTimeAsync(0)
    if (which === 'active')
      registration.addEventListener('updatefound', () => {
        registration.active = registration.installing
      })
    registration.install()
    expect(isUpdateReady()).toBe(false)
  },
)

test('a newly installed version is logged and offered; the first one is not', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const { isUpdateReady, registerServiceWorker } = await load()
  registerServiceWorker()
  await vi.advanceTimersByTimeAsync(0)
  vi.stubGlobal('navigator', { serviceWorker: { register, controller: null } })
  registration.install()
  expect(log).not.toHaveBeenCalled()
  vi.stubGlobal('navigator', { serviceWorker: { register, controller: {} } })
  registration.install()
  expect(log).toHaveBeenCalledOnce()
  expect(isUpdateReady()).toBe(true)
})

test('a failed registration is logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const failure = new Error('no')
  register.mockRejectedValue(failure)
  const { registerServiceWorker } = await load()
  registerServiceWorker()
  await vi.advanceTimersByTimeAsync(0)
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.any(String), failure)
})

/** Web Locks, some of them held until they are released. */
class FakeLocks {
  readonly #held = new Map<string, { freed: Promise<void>; free: () => void }>()

  hold(name: string): void {
    let free = () => {}
    const freed = new Promise<void>((resolve) => {
      free = resolve
    })
    this.#held.set(name, { freed, free })
  }

  release(name: string): void {
    this.#held.get(name)?.free()
    this.#held.delete(name)
  }

  query = async () => ({ held: [...this.#held.keys()].map((name) => ({ name })) })
  request = async (name: string, work: () => unknown) => {
    await this.#held.get(name)?.freed
    return work()
  }
}

test('a write in progress, in any tab, delays the new version and then the reload', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const locks = new FakeLocks()
  const serviceWorker = Object.assign(new EventTarget(), { register, controller: {} })
  vi.stubGlobal('navigator', { serviceWorker, locks })
  const reload = vi.fn()
  vi.stubGlobal('location', { href: 'https://keyhole.example/', reload })
  const { applyUpdate, registerServiceWorker } = await load()
  registerServiceWorker()
  await vi.advanceTimersByTimeAsync(0)
  registration.install()

  locks.hold('keyhole:write:kh1a')
  // Other locks don't protect unsaved data.
  locks.hold('keyhole:account:kh1a')
  const applying = applyUpdate()
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).not.toHaveBeenCalled()
  // A write that starts while the first one ends is also waited for.
  locks.hold('keyhole:write:kh1b')
  locks.release('keyhole:write:kh1a')
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).not.toHaveBeenCalled()
  locks.release('keyhole:write:kh1b')
  await applying
  expect(told).toHaveBeenCalledExactlyOnceWith('let the new version in')
  expect(reload).not.toHaveBeenCalled()

  locks.hold('keyhole:write:kh1a')
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(reload).not.toHaveBeenCalled()
  locks.release('keyhole:write:kh1a')
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).toHaveBeenCalledOnce()
})

test('a version that another tab has activated is loaded without asking again', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const reload = vi.fn()
  vi.stubGlobal('location', { href: 'https://keyhole.example/', reload })
  const { applyUpdate, registerServiceWorker } = await load()
  registerServiceWorker()
  await vi.advanceTimersByTimeAsync(0)
  registration.install()
  Object.assign(registration.installing ?? {}, { state: 'activated' })
  await applyUpdate()
  expect(told).not.toHaveBeenCalled()
  expect(reload).toHaveBeenCalledOnce()
})
