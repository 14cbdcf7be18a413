import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pluginMemories } from '../../../../enclave/src/test/plugin-memories.ts'
import { dumpDisk } from '../../test/browser.ts'
import { clientOf } from '../../test/client-of.ts'
import {
  joinedAsLimited,
  kioskProof,
  laptopAndKiosk,
  pairedAsLimited,
  removeLimited,
} from '../../test/limited-vaults.ts'
import { passkeyProof } from '../../test/opening.ts'
import { away, type Device, isInStep, nameOf, RELAY, relay, wire } from '../../test/paired-vaults.ts'
import { separateBrowsers, TestBrowser } from '../../test/two-browsers.ts'
import type { DevicesState } from '../devices-state.ts'
import { readPairingText } from '../pairing/pairing-text.ts'
import { RECORD_PREFIX } from '../stored/stored-records.ts'

separateBrowsers()

/** A private key, as a text to import and as the bytes that must not be anywhere else. */
function foreignKey(): { readonly text: string; readonly seed: Buffer } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { text, seed: Buffer.from(String(createPrivateKey(text).export({ format: 'jwk' }).d), 'base64url') }
}

const KEY = foreignKey()

describe('a limited device', () => {
  it('has keys of its own, and none of the account’s in its storage or memory', async () => {
    await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    const own = kiosk.vault.getSnapshot()
    const memoriesOf = pluginMemories()
    await joinedAsLimited(laptop, kiosk)
    expect(await laptop.devices.state()).toMatchObject({
      devices: [
        { name: 'Laptop', isThis: true },
        { name: 'Kiosk', isLimited: true },
      ],
    })
    const state = await kiosk.devices.state()
    expect(state).toMatchObject({ isOn: false, devices: [], limited: { relay: RELAY, isRemoved: false } })
    expect(state.limited).not.toHaveProperty('waitsFor')
    // Its own account is as it was.
    expect(kiosk.vault.getSnapshot()).toMatchObject({ address: own.address, issuerDid: own.issuerDid })
    expect(await kiosk.cids()).toEqual([])
    const { token } = await laptop
      .within(() => laptop.vault.tokens.list())
      .then(([first]) => first ?? { token: '' })

    const isFound = (texts: readonly Buffer[], secret: Buffer | string) => {
      const bytes = Buffer.from(secret)
      const forms = [bytes, ...(['hex', 'base64', 'base64url'] as const).map((form) => bytes.toString(form))]
      return forms.some((form) => texts.some((text) => text.includes(form)))
    }
    const disk = [Buffer.from(await kiosk.within(dumpDisk))]
    const memory = await memoriesOf('join_as_limited')
    expect(memory).toHaveLength(1)
    for (const secret of [KEY.seed, 'Holiday mails', token.slice(8, 72)]) {
      expect(isFound(disk, secret)).toBe(false)
      expect(isFound(memory, secret)).toBe(false)
    }
    // The search finds what is there.
    expect(isFound(await memoriesOf('propose_head'), KEY.seed)).toBe(true)
    expect(isFound(disk, own.address ?? '')).toBe(true)
  })

  it('uses what its own key was granted, and what it does goes to no one', async () => {
    const world = await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    await joinedAsLimited(laptop, kiosk)
    const did = kiosk.vault.getSnapshot().issuerDid ?? ''
    const grant = await laptop.within(() =>
      laptop.vault.tokens.grant({ audience_did: did, command: '/msg/send' }),
    )
    await laptop.until(isInStep)
    const subject = laptop.vault.getSnapshot().issuerDid ?? ''
    let appends = 0
    wire.instead = (path) => {
      if (path.endsWith('/append') && TestBrowser.here === kiosk.browser) appends += 1
      return undefined
    }
    await kiosk.within(() => kiosk.vault.tokens.receive(grant.token))
    const invoked = await kiosk.within(() =>
      kiosk.vault.tokens.invoke({
        ...{ command: '/msg/send', args: {}, subject_did: subject, proof_token: grant.token },
      }),
    )
    expect(invoked.token).not.toBe('')
    await kiosk.within(() => kiosk.vault.contacts.save({ name: 'Ann', kind: 'person', dids: [] }))
    await kiosk.devices.retry()
    await kiosk.devices.state()
    expect(appends).toBe(0)
    expect(world.errors).toEqual([])
  })

  it('says that it is one after a restart, without the relay, and once it was removed', async () => {
    await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    await joinedAsLimited(laptop, kiosk)
    await kiosk.within(() => kiosk.vault.lock())
    await kiosk.until(({ limited }) => limited?.waitsFor === 'unlock')
    wire.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    await kiosk.within(() => kiosk.vault.cleanup())
    // The browser forgot which plugin it needs.
    const { address = '' } = kiosk.vault.getSnapshot()
    kiosk.browser.storage.removeItem(`keyhole:devices:${address}`)
    await kiosk.start()
    expect((await kiosk.devices.state()).limited).toMatchObject({ relay: RELAY, waitsFor: 'unlock' })
    await kiosk.within(() => kiosk.vault.unlock(passkeyProof(9)))
    await kiosk.until(({ limited }) => limited?.waitsFor === 'network')
    wire.instead = () => undefined
    await kiosk.devices.retry()
    await kiosk.until(({ limited }) => limited?.lastRead !== undefined && !limited.waitsFor)

    await removeLimited(laptop)
    await kiosk.devices.retry()
    await kiosk.until(({ limited }) => limited?.isRemoved || limited?.waitsFor === 'relay_revoked')
    // What it has of its own goes on.
    expect(kiosk.vault.getSnapshot().phase).toBe('unlocked')
    await kiosk.within(() => kiosk.vault.keys.generate())
  })

  it('says once that it is there, and is told as one that was not heard from before', async () => {
    const world = await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    await pairedAsLimited(laptop, kiosk)
    await laptop.devices.add({ proof: passkeyProof(), name: 'Kiosk', role: 'limited' })
    const kioskOf = ({ devices }: DevicesState) => devices.find(({ isLimited }) => isLimited)
    await laptop.until((state) => isInStep(state) && kioskOf(state) !== undefined)
    expect(kioskOf(await laptop.devices.state())).not.toHaveProperty('lastHeard')
    await kiosk.devices.joinLimited()
    const heard = await laptop.until((state) => kioskOf(state)?.lastHeard !== undefined)
    expect(kioskOf(heard)?.lastHeard).toBe(kiosk.clock.now())
    await kiosk.until(({ limited }) => limited?.lastRead !== undefined)

    let appends = 0
    wire.instead = (path) => {
      if (path.endsWith('/append') && TestBrowser.here === kiosk.browser) appends += 1
      return undefined
    }
    await kiosk.within(() => kiosk.vault.lock())
    await kiosk.within(() => kiosk.vault.unlock(passkeyProof(9)))
    await kiosk.until(({ limited }) => limited?.lastRead !== undefined && !limited.waitsFor)
    expect(appends).toBe(0)
    // It is no line of anyone's log.
    const { lines } = await laptop.within(() => laptop.vault.activity.read())
    expect(lines.filter(({ device }) => device)).toEqual([])
    expect(world.errors).toEqual([])
  })

  it('is added as what it waits for, and as what a person chose if its code was typed', async () => {
    await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    const text = await pairedAsLimited(laptop, kiosk)
    expect((await kiosk.devices.state()).waitsWith?.text).toBe(text)
    expect(readPairingText(text)).toMatchObject({ relay: RELAY, did: kiosk.vault.getSnapshot().issuerDid })
    const full = { proof: passkeyProof(), name: 'Kiosk' }
    expect(await nameOf(laptop.devices.add(full))).toBe('PairingOtherKind')
    expect((await laptop.devices.state()).devices).toHaveLength(1)
    await pairedAsLimited(laptop, kiosk, true)
    const add = { proof: passkeyProof(), name: 'Kiosk', role: 'limited' } as const
    await Promise.all([kiosk.devices.joinLimited(), laptop.devices.add(add)])
    await laptop.until(({ devices }) => devices.some(({ isLimited }) => isLimited))
    expect((await kiosk.devices.state()).waitsWith).toBeUndefined()
  })

  it('is an account that is on one device, and is no limited device yet', async () => {
    await relay()
    const [laptop, kiosk] = await laptopAndKiosk(KEY)
    const begin = (device: Device, secret: number) =>
      nameOf(device.devices.beginLimited({ relay: RELAY, proof: passkeyProof(secret) }))
    expect(await begin(laptop, 7)).toBe('DevicesOn')
    expect(await begin(kiosk, 8)).toBe('WrongPasskey')
    expect(kiosk.vault.getSnapshot().phase).toBe('unlocked')
    await joinedAsLimited(laptop, kiosk)
    expect(await begin(kiosk, 9)).toBe('DeviceLimited')
    const start = kiosk.devices.start({ relay: RELAY, proof: passkeyProof(9) })
    expect(await nameOf(start)).toBe('DeviceLimited')
  })
})

describe('a limited device that hasn’t read that it was added', () => {
  /** It has joined, and is started again as if it had read nothing so far. What it reads is changed. */
  async function unread(change: (page: { readonly records: readonly string[] }, reading: number) => object) {
    const world = await relay()
    const [laptop, kiosk] = await laptopAndKiosk()
    await joinedAsLimited(laptop, kiosk)
    await kiosk.within(async () => {
      const { storage } = clientOf(kiosk.vault)
      const metadata = await storage.metadataKeysUnder(RECORD_PREFIX)
      await storage.writeBatch({ removed: { metadata } })
    })
    let reading = 0
    wire.instead = async (path, init) => {
      if (path !== '/records/read' || TestBrowser.here !== kiosk.browser) return undefined
      const answer = await world.relay.fetch(new Request(`${RELAY}${path}`, init), { address: '192.0.2.1' })
      reading += 1
      return Response.json(change(await answer.json(), reading))
    }
    await opened(kiosk)
    return [laptop, kiosk] as const
  }

  /** Started again, and unlocked. */
  async function opened(kiosk: Device) {
    await kiosk.within(() => kiosk.vault.cleanup())
    await kiosk.start()
    await kiosk.within(() => kiosk.vault.unlock(kioskProof()))
  }

  /** The first head names the first device alone. */
  const first = (page: { readonly records: readonly string[] }) => ({
    ...page,
    records: page.records.slice(0, 1),
  })
  const stateOf = async (kiosk: Device) => (await kiosk.devices.state()).limited

  it('because the reading was cut off does not take itself for removed, also when it is opened again', async () => {
    const [, kiosk] = await unread((page, reading) => {
      if (reading > 1) throw new TypeError('Failed to fetch')
      return first(page)
    })
    await kiosk.until(({ limited }) => limited?.waitsFor === 'network')
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: false })
    await opened(kiosk)
    await kiosk.until(({ limited }) => limited?.waitsFor === 'network')
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: false })
    wire.instead = () => undefined
    await kiosk.devices.retry()
    await kiosk.until(({ limited }) => limited !== undefined && !limited.waitsFor)
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: false, lastRead: expect.anything() })
  })

  it('because the relay ends its list before that says so, and asks again', async () => {
    const [, kiosk] = await unread((page, reading) => (reading > 1 ? { ...page, records: [] } : first(page)))
    await kiosk.until(({ limited }) => limited?.waitsFor === 'unnamed')
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: false })
    wire.instead = () => undefined
    kiosk.clock.pass(300_000)
    await kiosk.until(({ limited }) => limited !== undefined && !limited.waitsFor)
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: false })
  })

  it('says that it was removed once it has read both, also without the relay', async () => {
    await relay()
    const [laptop, kiosk] = await laptopAndKiosk()
    await joinedAsLimited(laptop, kiosk)
    // Then it can still read.
    wire.instead = (path) => (path === '/revocations' ? away(path) : undefined)
    await removeLimited(laptop)
    await kiosk.devices.retry()
    await kiosk.until(({ limited }) => limited?.isRemoved ?? false)
    wire.instead = away
    await opened(kiosk)
    await kiosk.until(({ limited }) => limited?.waitsFor === 'network')
    expect(await stateOf(kiosk)).toMatchObject({ isRemoved: true })
  })
})
