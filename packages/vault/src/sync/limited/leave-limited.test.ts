import { describe, expect, it, vi } from 'vitest'
import type { MandateTerms } from '../../enclave/mandate.ts'
import { needsDevices } from '../../enclave/needs-devices.ts'
import { DEVICE_PREFIX } from '../../storage/devices/device-marks.ts'
import { clientOf } from '../../test/client-of.ts'
import { FakeLocks } from '../../test/fake-locks.ts'
import { joinedAsLimited, kioskProof, laptopAndKiosk, removeLimited } from '../../test/limited-vaults.ts'
import { away, Device, isInStep, nameOf, RELAY, relay, wire } from '../../test/paired-vaults.ts'
import { BOB } from '../../test/people.ts'
import { separateBrowsers, TestBrowser } from '../../test/two-browsers.ts'

separateBrowsers()

const TERMS: MandateTerms = {
  ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP' },
  budget: { period: 'month', amount: 20_000 },
}
const unlock = (device: Device) => device.within(() => device.vault.unlock(kioskProof()))

/** What the account has of devices. */
const ofDevices = (device: Device) =>
  device.within(async () => await clientOf(device.vault).storage.metadataKeysUnder(DEVICE_PREFIX))

/** A limited device with something of its own, and a grant of the other account. */
async function limited(): Promise<[Device, Device]> {
  const [laptop, kiosk] = await laptopAndKiosk()
  await joinedAsLimited(laptop, kiosk)
  const did = kiosk.vault.getSnapshot().issuerDid ?? ''
  const { token } = await laptop.within(() =>
    laptop.vault.tokens.grant({ audience_did: did, command: '/msg/send' }),
  )
  await kiosk.within(async () => {
    await kiosk.vault.tokens.receive(token)
    await kiosk.vault.contacts.save({ name: 'Ann', kind: 'person', dids: [BOB] })
  })
  return [laptop, kiosk]
}

/** The kiosk has all that is its own, and can use the grant and change its keys. */
async function expectNothingLost(kiosk: Device): Promise<void> {
  expect(kiosk.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', label: 'Kiosk' })
  await kiosk.within(async () => {
    expect((await kiosk.vault.contacts.list()).map(({ name }) => name)).toEqual(['Ann'])
    const received = (await kiosk.vault.tokens.list()).find(({ type }) => type === 'received')
    const call = { command: '/msg/send', args: {}, subject_did: received?.issuer ?? '' }
    const invoked = await kiosk.vault.tokens.invoke({ ...call, proof_token: received?.token ?? '' })
    expect(invoked.token).not.toBe('')
    expect((await kiosk.vault.activity.read()).missing).toEqual([])
    await kiosk.vault.keys.generate()
  })
}

async function expectOrdinary(kiosk: Device): Promise<void> {
  const state = await kiosk.devices.state()
  expect(state).toMatchObject({ isOn: false })
  expect(state).not.toHaveProperty('limited')
  expect(await ofDevices(kiosk)).toEqual([])
  const { address } = kiosk.vault.getSnapshot()
  expect(await kiosk.within(async () => needsDevices(address))).toBe(false)
  await expectNothingLost(kiosk)
}

/** Started again, as if its tab had been closed. */
async function again(kiosk: Device): Promise<Device> {
  await kiosk.within(() => kiosk.vault.cleanup()).catch(() => undefined)
  const next = new Device(kiosk.browser)
  await next.start()
  await unlock(next)
  return next
}

describe('a limited device that leaves', () => {
  it('is an ordinary vault, offline too, and keeps what is its own', async () => {
    const world = await relay()
    const [laptop, kiosk] = await limited()
    const { mandate } = await kiosk.within(() => kiosk.vault.mandates.make(TERMS))
    await removeLimited(laptop)
    await kiosk.devices.retry()
    await kiosk.until((state) => state.limited?.isRemoved || state.limited?.waitsFor === 'relay_revoked')
    wire.instead = (path) => (TestBrowser.here === kiosk.browser ? away(path) : undefined)
    await kiosk.devices.leaveLimited()
    await expectOrdinary(kiosk)
    // The enclave counts under another name from now on, so a person looks at it first.
    const [counted] = await kiosk.within(() => kiosk.vault.mandates.list())
    expect(counted).toMatchObject({ cid: mandate.cid, suspended: true })
    const { lines } = await kiosk.within(() => kiosk.vault.activity.read())
    expect(lines.filter(({ act }) => act === 'leaveLimited')).toMatchObject([{ outcome: 'done' }])
    await expectOrdinary(await again(kiosk))
    expect(world.errors).toEqual([])
  })

  it('can be one again, or be put on several devices', async () => {
    await relay()
    const [laptop, kiosk] = await limited()
    await kiosk.devices.leaveLimited()
    await removeLimited(laptop)
    await joinedAsLimited(laptop, kiosk)
    expect((await kiosk.devices.state()).limited).toMatchObject({ isRemoved: false })
    await kiosk.devices.leaveLimited()
    await kiosk.devices.start({ relay: RELAY, proof: kioskProof(), name: 'Own' })
    expect((await kiosk.until(isInStep)).devices).toMatchObject([{ name: 'Own', isThis: true }])
    await expectNothingLost(kiosk)
  })

  it('need not have been removed. The other account lists it until it does that', async () => {
    await relay()
    const [laptop, kiosk] = await limited()
    let asked = 0
    wire.instead = () => {
      if (TestBrowser.here === kiosk.browser) asked += 1
      return undefined
    }
    await kiosk.devices.leaveLimited()
    await kiosk.devices.retry()
    await expectOrdinary(kiosk)
    expect(asked).toBe(0)
    expect((await laptop.devices.state()).devices).toHaveLength(2)
    await removeLimited(laptop)
    await laptop.until(({ devices }) => devices.length === 1)
  })

  it('must be unlocked, and be one', async () => {
    await relay()
    const [laptop, kiosk] = await limited()
    const leave = (device: Device) => nameOf(device.devices.leaveLimited())
    expect(await leave(laptop)).toBe('DeviceNotLimited')
    await kiosk.within(() => kiosk.vault.lock())
    expect(await leave(kiosk)).toBe('VaultLocked')
    await unlock(kiosk)
    expect((await kiosk.devices.state()).limited).toBeDefined()
    expect(await leave(kiosk)).toBe('nothing was refused')
    expect(await leave(kiosk)).toBe('DeviceNotLimited')
  })

  it('is one as before if the disk fails, and can leave later', async () => {
    await relay()
    const [, kiosk] = await limited()
    const { storage } = clientOf(kiosk.vault)
    const spy = vi.spyOn(storage, 'writeState').mockRejectedValue(new Error('The disk fails.'))
    await expect(kiosk.devices.leaveLimited()).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    spy.mockRestore()
    await kiosk.devices.retry()
    const { limited: state } = await kiosk.until((each) => each.limited?.lastRead !== undefined)
    expect(state).toMatchObject({ isRemoved: false })
    expect(state).not.toHaveProperty('waitsFor')
    await kiosk.devices.leaveLimited()
    await expectOrdinary(kiosk)
  })

  it('is a limited device or an ordinary vault, at whichever step its tab is killed', async () => {
    await relay()
    let [victim, steps, last]: [TestBrowser | undefined, number, number] = [undefined, 0, 0]
    const { transaction } = IDBDatabase.prototype
    // Before any database is opened: they use the one that they find then.
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      const isHere = victim !== undefined && TestBrowser.here === victim
      if (isHere && given[1] === 'readwrite') steps += 1
      if (isHere && steps > last) throw new DOMException('The tab was killed.', 'AbortError')
      return transaction.apply(this, given)
    })
    const ends: string[] = []
    for (let at = 0, isDone = false; !isDone; at += 1) {
      const [, kiosk] = await limited()
      wire.instead = (path) => (TestBrowser.here === kiosk.browser ? away(path) : undefined)
      ;[victim, steps, last] = [kiosk.browser, 0, at]
      await kiosk.devices.leaveLimited().catch(() => undefined)
      isDone = steps <= at
      await kiosk.within(() => kiosk.vault.cleanup()).catch(() => undefined)
      victim = undefined
      const next = await again(kiosk)
      wire.instead = () => undefined
      const isLimited = (await next.devices.state()).limited !== undefined
      ends.push(isLimited ? 'limited' : 'ordinary')
      if (isLimited) {
        await next.devices.retry()
        const { limited: state } = await next.until((each) => each.limited?.lastRead !== undefined)
        expect([at, state?.isRemoved, state?.waitsFor]).toEqual([at, false, undefined])
        await expectNothingLost(next)
        await next.devices.leaveLimited()
      }
      await expectOrdinary(next)
      await next.within(() => next.vault.cleanup())
    }
    // The mark that it is leaving; the enclave's state without the device's keys; and the mark is gone.
    expect(ends).toEqual(['limited', 'ordinary', 'ordinary', 'ordinary'])
  })
})

describe('a tab beside the one that leaves', () => {
  /** Two tabs of the limited device; the second one waits for the first, which asks the relay. */
  async function tabs(): Promise<[Device, Device, Device]> {
    vi.stubGlobal('navigator', { locks: new FakeLocks() })
    await relay()
    const [laptop, kiosk] = await limited()
    const tab = await new Device(kiosk.browser).start()
    await unlock(tab)
    await tab.until((state) => state.limited?.waitsFor === 'tab')
    return [laptop, kiosk, tab]
  }

  it.each(['asks the relay', 'waits'])('that %s shows an ordinary vault too', async (which) => {
    const [, kiosk, tab] = await tabs()
    const [leaving, other] = which === 'waits' ? [kiosk, tab] : [tab, kiosk]
    await leaving.devices.leaveLimited()
    await other.until((state) => state.limited === undefined)
    await expectOrdinary(other)
    await expectOrdinary(leaving)
  })

  it('and that is just reading stores nothing of the other account afterwards', async () => {
    const [laptop, kiosk, tab] = await tabs()
    await laptop.devices.rename((await laptop.devices.state()).devices[0]?.id ?? '', 'Desk')
    await laptop.until(isInStep)
    let read = () => {}
    const isReading = new Promise<void>((resolve) => {
      wire.instead = async (path) => {
        if (TestBrowser.here !== kiosk.browser || !path.endsWith('/read')) return undefined
        wire.instead = () => undefined
        resolve()
        await new Promise<void>((free) => {
          read = free
        })
        return undefined
      }
    })
    await kiosk.devices.retry()
    await isReading
    await tab.devices.leaveLimited()
    read()
    await kiosk.until((state) => state.limited === undefined)
    await kiosk.devices.retry()
    await expectOrdinary(kiosk)
  })
})
