import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createThreadless } from '../../../enclave/src/test/in-this-thread.ts'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { TestDevices } from '../test/two-devices.ts'
import { type DevicesState, devicesOf } from './index.ts'

freshBrowser()
afterAll(closeSharedEnclave)
const vaults = new OpenVaults()
const devices = new TestDevices()
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const RELAY = 'https://vault.example/relay'

async function relay(): Promise<World> {
  const world = await makeRelay({ clock: Date.now })
  ends.push(() => world.relay.close())
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const answer = await world.relay.fetch(new Request(url, init), { address: '192.0.2.1' })
    if (answer.status === 201) {
      appends += 1
      appended()
    }
    return answer
  })
  return world
}

/** How many records relays got. */
let appends = 0
let appended = () => {}
/** Resolves once the relay gets one more record. */
const nextRecord = () =>
  new Promise<void>((resolve) => {
    appended = resolve
  })

const started = (clock = new TestClock()) =>
  vaults.start({ wasmSource: 'bundled' }, { clock, createEnclave: createThreadless })

async function opened(clock = new TestClock()): Promise<KeyVault> {
  const vault = await started(clock)
  await vault.create(openedByPasskey())
  return vault
}

/** Resolves once the devices' state is as a test wants it. */
async function until(vault: KeyVault, is: (state: DevicesState) => boolean): Promise<DevicesState> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = vault.on('vault:changed', ({ change }) => {
        if (change !== 'devices') return
        stop()
        resolve()
      })
    })
    const state = await devicesOf(vault).state()
    if (is(state)) return state
    await changed
  }
}
const isInStep = (state: DevicesState) => state.isOn && state.lastRead !== undefined && state.toSend === 0

describe('an account on one device', () => {
  it('has no devices, and loads nothing for them', async () => {
    await relay()
    const before = appends
    const vault = await opened()
    expect(await devicesOf(vault).state()).toMatchObject({ isOn: false, devices: [] })
    for (const address of [
      '',
      'vault.example',
      'http://vault.example',
      `${RELAY}?a=b`,
      'https://a:b@vault.example',
    ]) {
      await expect(devicesOf(vault).start({ relay: address, proof: passkeyProof() })).rejects.toMatchObject({
        details: { name: 'RelayAddressInvalid' },
      })
    }
    await expect(devicesOf(vault).remove({ device: 'x', proof: passkeyProof() })).rejects.toMatchObject({
      details: { name: 'DevicesOff' },
    })
    // No relay, one that keeps no records, and a server that isn't one.
    const world = globalThis.fetch
    for (const [answer, name] of [
      [() => Promise.reject(new TypeError('Failed to fetch')), 'RelayUnreachable'],
      [async () => new Response(null, { status: 503 }), 'RelayBusy'],
      [async () => Response.json({ error: 'not_found' }, { status: 404 }), 'RelayWithoutDevices'],
      [async () => new Response('<!doctype html>'), 'RelayWithoutDevices'],
    ] as const) {
      vi.stubGlobal('fetch', answer)
      await expect(devicesOf(vault).start({ relay: RELAY, proof: passkeyProof() })).rejects.toMatchObject({
        details: { name },
      })
    }
    vi.stubGlobal('fetch', world)
    expect(vault.getSnapshot().phase).toBe('unlocked')
    await vault.lock()
    await expect(devicesOf(vault).start({ relay: RELAY, proof: passkeyProof() })).rejects.toMatchObject({
      code: 'VAULT_LOCKED',
    })
    // A wrong proof leaves it as it was, unlocked and in every tab.
    await vault.unlock(passkeyProof())
    const other = await started()
    await expect(devicesOf(vault).start({ relay: RELAY, proof: passkeyProof(8) })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    expect(vault.getSnapshot().phase).toBe('unlocked')
    expect(other.getSnapshot()).toMatchObject({ address: vault.getSnapshot().address })
    expect(await devicesOf(vault).state()).toMatchObject({ isOn: false })
    expect(appends).toBe(before)
  })
})

describe('an account on several devices', () => {
  it('sends what it had and what is made later, and goes on after each unlock', async () => {
    const world = await relay()
    const clock = new TestClock()
    const vault = await opened(clock)
    const { issuerDid: audience = '' } = vault.getSnapshot()
    const before = await vault.tokens.grant({ audience_did: audience, command: '/msg/send', label: 'before' })
    await devicesOf(vault).start({ relay: `${RELAY}/`, proof: passkeyProof() })
    expect(vault.getSnapshot().phase).toBe('unlocked')
    const state = await until(vault, isInStep)
    expect(state).toMatchObject({
      relay: RELAY,
      isRemoved: false,
      devices: [{ isThis: true, lastHeard: clock.now() }],
    })
    await expect(devicesOf(vault).start({ relay: RELAY, proof: passkeyProof() })).rejects.toMatchObject({
      details: { name: 'DevicesOn' },
    })

    const phone = devices.make(world)
    await phone.addedBy(vault, passkeyProof())
    await phone.session.meet()
    expect((await phone.storage.readTokens()).map(({ cid }) => cid)).toEqual([before.cid])

    const after = await vault.tokens.grant({ audience_did: audience, command: '/msg/send' })
    await vault.contacts.save({ name: 'Ann', kind: 'person', dids: [] })
    const { devices: both } = await until(vault, ({ devices: all }) => all.length === 2)
    const [other = ''] = both.filter(({ isThis }) => !isThis).map(({ id }) => id)
    await devicesOf(vault).rename(other, ' Phone ')
    await until(vault, ({ devices: all, toSend }) => toSend === 0 && all.some(({ name }) => name === 'Phone'))
    await phone.session.meet()
    expect((await phone.storage.readTokens()).map(({ cid }) => cid).sort()).toEqual(
      [before.cid, after.cid].sort(),
    )
    expect(await phone.contacts()).not.toEqual({})

    await phone.storage.removeToken(
      (await phone.storage.readTokens()).find(({ cid }) => cid === before.cid)?.id ?? '',
    )
    await phone.session.meet()
    await vault.lock()
    expect(await devicesOf(vault).state()).toMatchObject({ isOn: true, waitsFor: 'unlock' })
    await vault.unlock(passkeyProof())
    await until(vault, isInStep)
    expect((await vault.tokens.list()).map(({ cid }) => cid)).toEqual([after.cid])

    await devicesOf(vault).remove({ device: other, proof: passkeyProof() })
    await vault.tokens.grant({ audience_did: audience, command: '/msg/send' })
    await until(vault, ({ devices: all, toSend }) => all.length === 1 && toSend === 0)
    await expect(phone.session.meet()).rejects.toMatchObject({ why: 'refused', rule: 'Revoked' })
    expect(await phone.storage.readTokens()).toHaveLength(1)
  })

  it('opens its device once an unlock is done, which waits for nothing of that', async () => {
    await relay()
    const calls: string[] = []
    const createEnclave: typeof createThreadless = async (options) => {
      const enclave = await createThreadless(options)
      for (const name of ['call', 'callByName'] as const) {
        const own = enclave[name].bind(enclave) as (...given: unknown[]) => Promise<unknown>
        Object.assign(enclave, {
          [name]: async (...given: unknown[]) => {
            calls.push(String(given[0]))
            return await own(...given)
          },
        })
      }
      return enclave
    }
    const vault = await vaults.start({ wasmSource: 'bundled' }, { clock: new TestClock(), createEnclave })
    await vault.create(openedByPasskey())
    await devicesOf(vault).start({ relay: RELAY, proof: passkeyProof(), name: 'Laptop' })
    const isThere = ({ lastRead, waitsFor }: DevicesState) => lastRead !== undefined && !waitsFor
    await until(vault, isThere)
    await vault.lock()
    calls.length = 0
    await vault.unlock(passkeyProof())
    expect(calls).toContain('log_activity')
    expect(calls).not.toContain('open_device')
    await until(vault, isThere)
    expect(calls).toContain('open_device')
  })

  it('gets the plugin that it needs though the browser forgot which one that is', async () => {
    await relay()
    const vault = await opened()
    await devicesOf(vault).start({ relay: RELAY, proof: passkeyProof() })
    await until(vault, isInStep)
    const { address = '' } = vault.getSnapshot()
    await vault.cleanup()
    expect(localStorage.getItem(`keyhole:devices:${address}`)).not.toBeNull()
    localStorage.removeItem(`keyhole:devices:${address}`)
    const later = await started()
    expect(localStorage.getItem(`keyhole:devices:${address}`)).not.toBeNull()
    await later.unlock(passkeyProof())
    await until(later, isInStep)
    // Another account is on one device, and a removed one leaves nothing.
    await later.create(openedByPasskey())
    expect(await devicesOf(later).state()).toMatchObject({ isOn: false, devices: [] })
    await later.accounts.remove(address)
    expect(localStorage.getItem(`keyhole:devices:${address}`)).toBeNull()
  })

  it('grants, and unlocks, without the relay', async () => {
    await relay()
    const vault = await opened()
    await devicesOf(vault).start({ relay: RELAY, proof: passkeyProof() })
    await until(vault, isInStep)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await vault.lock()
    await vault.unlock(passkeyProof())
    await until(vault, ({ waitsFor }) => waitsFor === 'network')
    const { issuerDid: audience = '' } = vault.getSnapshot()
    await vault.tokens.grant({ audience_did: audience, command: '/msg/send' })
    expect((await until(vault, ({ toSend }) => toSend > 0)).waitsFor).toBe('network')
  })

  it('is kept in step by one tab, and by another one when that is closed', async () => {
    vi.stubGlobal('navigator', { locks: new FakeLocks() })
    await relay()
    const first = await opened()
    await devicesOf(first).start({ relay: RELAY, proof: passkeyProof() })
    await until(first, isInStep)
    const second = await started()
    await second.unlock(passkeyProof())
    await until(second, ({ waitsFor }) => waitsFor === 'tab')
    await expect(devicesOf(second).rename('x', 'y')).rejects.toMatchObject({
      details: { name: 'DevicesInOtherTab' },
    })
    const { issuerDid: audience = '' } = second.getSnapshot()
    const before = appends
    const isSent = nextRecord()
    await second.tokens.grant({ audience_did: audience, command: '/msg/send' })
    await isSent
    expect(appends).toBe(before + 1)
    await first.cleanup()
    await until(second, isInStep)
    const isSentToo = nextRecord()
    await second.tokens.grant({ audience_did: audience, command: '/msg/send' })
    await isSentToo
    expect(appends).toBe(before + 2)
  })
})
