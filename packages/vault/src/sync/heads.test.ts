// Changes of what all devices share, and what is reported of them whatever the relay does meanwhile.
import { describe, expect, it, vi } from 'vitest'
import { BOUNDS } from '../../../relay/src/bounds.ts'
import { memoryStore } from '../../../relay/src/stores/memory-store.ts'
import type { World } from '../../../relay/src/test/relay.ts'
import { fillDisk } from '../test/browser.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { passkeyProof } from '../test/opening.ts'
import {
  away,
  Device,
  isInStep,
  laptopAndPhone,
  nameOf,
  paired,
  RELAY,
  relay,
  wire,
} from '../test/paired-vaults.ts'
import { separateBrowsers, TestBrowser } from '../test/two-browsers.ts'
import { isHead } from './stored/stored-records.ts'

separateBrowsers()

async function both(): Promise<[Device, Device]> {
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await phone.until(isInStep)
  await laptop.until((state) => isInStep(state) && state.devices.length === 2)
  return [laptop, phone]
}

const newCode = (device: Device) =>
  device.within(() => device.vault.unlockMethods.newRecoveryCode(passkeyProof()))

/** How often a device's own log says that something was done. */
async function linesOf(device: Device, act: string): Promise<number> {
  const { lines } = await device.within(() => device.vault.activity.read())
  return lines.filter((line) => !line.device && line.act === act && line.outcome === 'done').length
}

/** The code opens the account. */
async function expectOpens(device: Device, recoveryCode: string): Promise<void> {
  await device.within(() => device.vault.lock())
  await device.within(() => device.vault.unlock({ recoveryCode }))
  expect(device.vault.getSnapshot().phase).toBe('unlocked')
}

/** The next head that a device appends goes through this. */
function atNextHead(
  device: Device,
  work: (send: () => Promise<Response>) => Promise<Response | undefined>,
  world: World,
): void {
  wire.instead = async (path, init) => {
    if (path !== '/records/append' || TestBrowser.here !== device.browser) return undefined
    if (!isHead(JSON.parse(String(init.body)).record)) return undefined
    wire.instead = () => undefined
    return await work(() => world.relay.fetch(new Request(`${RELAY}${path}`, init), { address: '192.0.2.1' }))
  }
}

describe('a change that another device was faster than', () => {
  it('is made again, and only what is in force is reported', async () => {
    const world = await relay()
    const [laptop, phone] = await both()
    atNextHead(
      laptop,
      async () => {
        await phone.within(() => phone.vault.keys.generate())
        return undefined
      },
      world,
    )
    const code = await newCode(laptop)
    expect(laptop.vault.getSnapshot().keys).toHaveLength(2)
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(1)
    expect(await linesOf(laptop, 'adoptDevices')).toBeGreaterThan(0)
    await expectOpens(laptop, code)
    await phone.until(isInStep)
  })

  it('is not reported if the relay shows the other one in its place', async () => {
    const world = await relay()
    const [laptop, phone] = await both()
    atNextHead(
      laptop,
      async () => {
        await phone.within(() => phone.vault.keys.generate())
        return Response.json({ place: 99 }, { status: 201 })
      },
      world,
    )
    expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
    expect(laptop.vault.getSnapshot().keys).toHaveLength(2)
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(0)
    await expectOpens(laptop, laptop.code)
  })

  it('is not reported if the relay shows both, and the other one goes on', async () => {
    const store = memoryStore(BOUNDS)
    const { appendRecord } = store
    // It doesn't compare how many heads were read.
    store.appendRecord = async ({ headsRead, ...record }) => {
      if (headsRead === undefined) return await appendRecord.call(store, record)
      for (let heads = headsRead; ; heads += 1) {
        const added = await appendRecord.call(store, { ...record, headsRead: heads })
        if (added.result !== 'conflict') return added
      }
    }
    const world = await relay({ store })
    const [laptop, phone] = await both()
    atNextHead(
      phone,
      async () => {
        await laptop.within(() => laptop.vault.keys.generate())
        return undefined
      },
      world,
    )
    // The laptop was there first, so its branch goes on.
    expect(await nameOf(newCode(phone))).toBe('ChangeUnsure')
    expect(phone.vault.getSnapshot().keys).toHaveLength(2)
    expect(await linesOf(phone, 'newRecoveryCode')).toBe(0)
  })

  it('is in force if another one follows it before it is read', async () => {
    const world = await relay()
    const [laptop, phone] = await both()
    atNextHead(
      laptop,
      async (send) => {
        const answer = await send()
        await phone.within(() => phone.vault.keys.generate())
        return answer
      },
      world,
    )
    const code = await newCode(laptop)
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(1)
    expect(laptop.vault.getSnapshot().keys).toHaveLength(2)
    await expectOpens(laptop, code)
  })
})

describe('a change whose answer is lost', () => {
  const proxies = [
    () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }),
    () => new Response('<h1>429</h1>', { status: 429 }),
    () => Response.json({ error: 'unavailable' }, { status: 503 }),
    () => new Response('{"pla', { status: 201 }),
    () => Promise.reject(new TypeError('Failed to fetch')),
  ]

  it('is reported if the relay shows it, whatever was answered', async () => {
    const world = await relay()
    const [laptop] = await laptopAndPhone()
    for (const [round, answer] of proxies.entries()) {
      atNextHead(
        laptop,
        async (send) => {
          await send()
          return await answer()
        },
        world,
      )
      const code = await newCode(laptop)
      expect(await linesOf(laptop, 'newRecoveryCode')).toBe(round + 1)
      await expectOpens(laptop, code)
      await laptop.until(isInStep)
    }
  })

  it('is unsure if the relay doesn’t show it, and refused only if the relay itself says so', async () => {
    const world = await relay()
    const [laptop] = await laptopAndPhone()
    for (const answer of proxies) {
      atNextHead(laptop, async () => await answer(), world)
      expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
    }
    for (const [status, error, name] of [
      [429, 'too_many_requests', 'RelayBusy'],
      [409, 'full', 'RelayFull'],
      [403, 'forbidden', 'RelayRefuses'],
    ] as const) {
      atNextHead(laptop, async () => Response.json({ error }, { status }), world)
      expect(await nameOf(newCode(laptop))).toBe(name)
    }
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(0)
    await expectOpens(laptop, laptop.code)
  })

  it('is unsure if the relay withholds it, and taken in once it is shown', async () => {
    const world = await relay()
    const [laptop] = await laptopAndPhone()
    let last: unknown
    const reading = async (path: string, init: RequestInit) => {
      if (path !== '/records/read') return undefined
      const request = new Request(`${RELAY}${path}`, init)
      const answer = await world.relay.fetch(request, { address: '192.0.2.1' })
      const page = await answer.clone().json()
      if (page.records.length === 0) last = page
      return answer
    }
    wire.instead = async (path, init) => {
      if (path === '/records/append' && isHead(JSON.parse(String(init.body)).record)) {
        // From now on it shows what it had.
        wire.instead = (path) => (path === '/records/read' ? Response.json(last) : undefined)
        return undefined
      }
      return await reading(path, init)
    }
    expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(0)
    wire.instead = () => undefined
    const isAdopted = new Promise<void>((resolve) => {
      laptop.vault.on('vault:changed', ({ change }) => change === 'unlock_methods' && resolve())
    })
    await laptop.devices.retry()
    await isAdopted
    await laptop.within(() => laptop.vault.lock())
    expect(await nameOf(laptop.within(() => laptop.vault.unlock({ recoveryCode: laptop.code })))).toBe(
      'WrongRecoveryCode',
    )
    laptop.clock.pass(60_000)
    await laptop.within(() => laptop.vault.unlock(passkeyProof()))
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(0)
    expect(await linesOf(laptop, 'adoptDevices')).toBe(1)
  })

  it('is unsure if the account is locked or the disk is full once the relay may have it', async () => {
    const world = await relay()
    const [laptop] = await laptopAndPhone()
    atNextHead(
      laptop,
      async (send) => {
        const answer = await send()
        await laptop.vault.lock()
        return answer
      },
      world,
    )
    expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
    await laptop.within(() => laptop.vault.unlock(passkeyProof()))
    await laptop.until(isInStep)
    let free = () => {}
    atNextHead(
      laptop,
      async (send) => {
        const answer = await send()
        free = fillDisk('state', 'tokens', 'metadata')
        return answer
      },
      world,
    )
    expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
    free()
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(0)
    const code = await newCode(laptop)
    await expectOpens(laptop, code)
  })
})

describe('a change that is in force', () => {
  it('is reported, also if another tab writes to the account meanwhile', async () => {
    vi.stubGlobal('navigator', { locks: new FakeLocks() })
    const world = await relay()
    const [laptop] = await laptopAndPhone()
    const tab = await new Device(laptop.browser).start()
    await tab.within(() => tab.vault.unlock(passkeyProof()))
    await tab.until(({ waitsFor }) => waitsFor === 'tab')
    const { issuerDid: audience = '' } = laptop.vault.getSnapshot()
    atNextHead(
      laptop,
      async (send) => {
        const answer = await send()
        await tab.within(() => tab.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }))
        return answer
      },
      world,
    )
    const code = await newCode(laptop)
    expect(await linesOf(laptop, 'newRecoveryCode')).toBe(1)
    await expectOpens(laptop, code)
  })

  it('is reported, also if what follows fails', async () => {
    await relay()
    const [laptop, phone] = await both()
    const { devices } = await laptop.devices.state()
    const other = devices.find(({ isThis }) => !isThis)?.id ?? ''
    // The relay can't be told of the removal yet, and the name of a key can't be stored.
    wire.instead = (path) => (path === '/revocations' ? away(path) : undefined)
    await laptop.devices.remove({ device: other, proof: passkeyProof() })
    expect(await linesOf(laptop, 'removeDevice')).toBe(1)
    expect(await linesOf(laptop, 'adoptDevices')).toBe(0)
    wire.instead = () => undefined
    await laptop.devices.retry()
    await phone.until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked')
    let free = () => {}
    const stop = laptop.vault.on('vault:changed', ({ change }) => {
      if (change === 'unlock_methods') free = fillDisk('state', 'metadata')
    })
    const made = await laptop.within(() => laptop.vault.keys.generate({ label: 'Work' }))
    free()
    stop()
    const found = laptop.vault.getSnapshot().keys.find(({ key_id: id }) => id === made.key_id)
    expect(found).toBeDefined()
    expect(found?.label).toBeUndefined()
  })

  it('is in the log once, also if the new device hears of it only at the second try', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    const joining = phone.devices.join()
    wire.instead = (path) =>
      path === '/mailboxes/message' && TestBrowser.here === laptop.browser
        ? Response.json({ error: 'bad_request' }, { status: 400 })
        : undefined
    const add = () => laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })
    expect(await nameOf(add())).toBe('RelayRefuses')
    expect(await linesOf(laptop, 'addDevice')).toBe(1)
    wire.instead = () => undefined
    await Promise.all([joining, add()])
    expect(await linesOf(laptop, 'addDevice')).toBe(1)
    expect(await linesOf(laptop, 'adoptDevices')).toBe(0)
    await phone.until(isInStep)
  })
})

it('a relay that has no room for the removal of a device still keeps the others in step', async () => {
  await relay()
  const [laptop, phone] = await both()
  const { issuerDid: audience = '' } = laptop.vault.getSnapshot()
  const { devices } = await laptop.devices.state()
  const other = devices.find(({ isThis }) => !isThis)?.id ?? ''
  wire.instead = (path) =>
    path === '/revocations' ? Response.json({ error: 'unavailable' }, { status: 503 }) : undefined
  await laptop.devices.remove({ device: other, proof: passkeyProof() })
  await laptop.within(() => laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }))
  // The change is sent, and it is known that the relay must still be told.
  const state = await laptop.until(
    ({ devices: left, toSend, untold, waitsFor }) =>
      left.length === 1 && toSend === 0 && untold === 1 && waitsFor !== undefined,
  )
  // It is asked again when it said, and not only when something is new.
  expect(state.waitsFor).toBe('relay_busy')
  wire.instead = () => undefined
  await laptop.devices.retry()
  await phone.until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked')
  await laptop.until(({ untold }) => untold === undefined)
})

it('a lost device is removed while changes wait to be sent', async () => {
  await relay()
  const [laptop, phone] = await both()
  const { issuerDid: audience = '' } = laptop.vault.getSnapshot()
  const { devices } = await laptop.devices.state()
  const other = devices.find(({ isThis }) => !isThis)?.id ?? ''
  const isOperation = (path: string, { body }: RequestInit) =>
    path === '/records/append' && !isHead(JSON.parse(String(body)).record)
  wire.instead = (path, init) =>
    isOperation(path, init) ? Response.json({ error: 'too_many_requests' }, { status: 429 }) : undefined
  const grant = () =>
    laptop.within(() => laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }))
  const before = await grant()
  await laptop.until(({ toSend, waitsFor }) => toSend > 0 && waitsFor === 'relay_busy')
  await laptop.devices.remove({ device: other, proof: passkeyProof() })
  const after = await grant()
  expect((await laptop.until(({ toSend }) => toSend > 0)).devices.length).toBeLessThan(3)
  await phone.until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked')
  // What waited is sent later, and is still there.
  wire.instead = () => undefined
  await laptop.devices.retry()
  expect((await laptop.until(isInStep)).devices).toHaveLength(1)
  expect(await laptop.cids()).toEqual([before.cid, after.cid].sort())
})

describe('an account that is opened by its backup', () => {
  const FILE = 'the passphrase of the file'
  const NEXT = 'another long passphrase'

  it('is on one device afterwards, and can change its keys', async () => {
    await relay()
    const [laptop] = await laptopAndPhone()
    const { address = '', issuerDid: audience = '' } = laptop.vault.getSnapshot()
    const { file } = await laptop.within(() =>
      laptop.vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE }),
    )
    const { cid } = await laptop.within(() =>
      laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }),
    )
    await laptop.within(() => laptop.vault.lock())
    const request = { text: file, exportPassphrase: FILE, passphrase: NEXT }
    await laptop.within(() => laptop.vault.accounts.reset(request))
    expect(await laptop.devices.state()).toMatchObject({ isOn: false, devices: [] })
    expect(laptop.browser.storage.getItem(`keyhole:devices:${address}`)).toBeNull()
    await laptop.within(() => laptop.vault.keys.generate())
    expect(laptop.vault.getSnapshot().keys).toHaveLength(2)
    expect(await laptop.cids()).toEqual([cid])
    // It can be put on several devices again.
    await laptop.devices.start({ relay: RELAY, proof: { passphrase: NEXT } })
    await laptop.until(isInStep)
    // The same for one that was deleted and comes back from its file.
    await laptop.within(() => laptop.vault.accounts.remove(address))
    await laptop.within(() => laptop.vault.importVault(request))
    expect(await laptop.devices.state()).toMatchObject({ isOn: false, devices: [] })
    await laptop.within(() => laptop.vault.keys.generate())
    expect(laptop.browser.storage.getItem(`keyhole:devices:${address}`)).toBeNull()
  })
})
