// Vaults in browsers beside each other, and the relay that they have in common.
import { afterAll, afterEach, expect, vi } from 'vitest'
import { createThreadless } from '../../../enclave/src/test/in-this-thread.ts'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import type { KeyVault } from '../key-vault.ts'
import { type DevicesState, devicesOf } from '../sync/index.ts'
import { TestClock } from './clock.ts'
import { OpenVaults } from './open-vaults.ts'
import { openedByPasskey, passkeyProof } from './opening.ts'
import { TestBrowser } from './two-browsers.ts'

export const RELAY = 'https://vault.example/relay'

/** What is between the vaults of a test and their relay. */
export const wire: {
  /** Answers instead of the relay, if it has anything for a path. */
  instead: (path: string, init: RequestInit) => Promise<Response | undefined> | Response | undefined
} = { instead: () => undefined }

const vaults = new OpenVaults()
const ends: (() => Promise<unknown>)[] = []
afterAll(closeSharedEnclave)
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A relay that every vault of the test reaches. */
export async function relay(options: Parameters<typeof makeRelay>[0] = {}): Promise<World> {
  const world = await makeRelay({ clock: Date.now, ...options })
  ends.push(() => world.relay.close())
  wire.instead = () => undefined
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = new URL(url).pathname.replace('/relay', '')
    return (
      (await wire.instead(path, init)) ??
      (await world.relay.fetch(new Request(url, init), { address: '192.0.2.1' }))
    )
  })
  return world
}

const all: Device[] = []

/** A vault in a browser of its own, with a clock of its own. */
export class Device {
  readonly browser: TestBrowser
  readonly clock = new TestClock()
  vault!: KeyVault
  /** The recovery code that its account was made with. */
  code = ''

  /** @param browser that of another one, for a second tab of it */
  constructor(browser = new TestBrowser()) {
    this.browser = browser
  }

  async start(): Promise<this> {
    await this.startAlone()
    await this.within(() => devicesOf(this.vault).state())
    return this
  }

  /** Starts the vault without what keeps it in step: its script isn't loaded yet. */
  async startAlone(): Promise<void> {
    all.push(this)
    const dependencies = { clock: this.clock, createEnclave: createThreadless }
    this.vault = await this.within(() => vaults.start({ wasmSource: 'bundled' }, dependencies))
  }

  within<T>(work: () => Promise<T>): Promise<T> {
    return this.browser.within(work)
  }

  get devices(): ReturnType<typeof devicesOf> {
    const devices = devicesOf(this.vault)
    // Every call runs in this browser.
    return new Proxy(devices, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...given: unknown[]) => this.within(async () => await Reflect.apply(method, target, given))
      },
    })
  }

  /** Resolves once the devices' state is as a test wants it. */
  async until(is: (state: DevicesState) => boolean): Promise<DevicesState> {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const stop = this.vault.on('vault:changed', ({ change }) => {
          if (change !== 'devices') return
          stop()
          resolve()
        })
      })
      const state = await this.devices.state()
      if (is(state)) return state
      await changed
    }
  }

  /** As if its tab had been killed and opened again. */
  async restart(): Promise<void> {
    await this.within(() => this.vault.cleanup())
    await this.start()
    if (this.vault.getSnapshot().phase === 'locked')
      await this.within(() => this.vault.unlock(passkeyProof()))
  }

  async cids(): Promise<(string | undefined)[]> {
    return (await this.within(() => this.vault.tokens.list())).map(({ cid }) => cid).sort()
  }
}
export const isInStep = (state: DevicesState) =>
  state.isOn && state.lastRead !== undefined && state.toSend === 0

/** A device whose account is on devices, and a browser without any account. */
export async function laptopAndPhone(): Promise<[Device, Device]> {
  const [laptop, phone] = [await new Device().start(), await new Device().start()]
  const made = await laptop.within(() => laptop.vault.create(openedByPasskey({ label: 'Ada' })))
  laptop.code = made.recoveryCode ?? ''
  await laptop.devices.start({ relay: RELAY, proof: passkeyProof(), name: ' Laptop ' })
  await laptop.until(isInStep)
  return [laptop, phone]
}

/** Both sides up to the digits. */
export async function paired(laptop: Device, phone: Device): Promise<void> {
  const { text } = await phone.devices.beginJoining({ relay: RELAY })
  const [there, here] = await Promise.all([
    laptop.devices.readPairingCode(text),
    phone.devices.joiningDigits(),
  ])
  expect(there).toMatch(/^\d{6}$/)
  expect(here).toBe(there)
}

/**
 * A call that doesn't reach the relay. A pairing that waits before it tries again doesn't wait: its device's time passes.
 */
export function away(path: string): Promise<never> {
  const device = all.find(({ browser }) => browser === TestBrowser.here)
  if (path.startsWith('/mailboxes')) setImmediate(() => device?.clock.pass(15_000))
  return Promise.reject(new TypeError('Failed to fetch'))
}

/** The name of a refusal. */
export const nameOf = async (work: Promise<unknown>) =>
  await work.then(
    () => 'nothing was refused',
    (error) => error.details?.name ?? error.code ?? String(error),
  )
