import { describe, expect, it, vi } from 'vitest'
import type { MandateTerms } from '../enclave/mandate.ts'
import { needsDevices } from '../enclave/needs-devices.ts'
import { DEVICE_LINK, DEVICE_PREFIX, LEAVING } from '../storage/devices/device-marks.ts'
import { clientOf } from '../test/client-of.ts'
import { passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import {
  Device,
  isInStep,
  laptopAndPhone,
  nameOf,
  paired,
  RELAY,
  relay,
  wire,
} from '../test/paired-vaults.ts'
import { BOB, CAROL } from '../test/people.ts'
import { separateBrowsers, TestBrowser } from '../test/two-browsers.ts'

separateBrowsers()

const TERMS: MandateTerms = {
  ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP' },
  budget: { period: 'month', amount: 20_000 },
}
const pay = (device: Device, cid: string, order: string) =>
  device.within(() =>
    device.vault.payments.authorize(
      { origin: 'https://shop.example', value: '10.00', currency: 'GBP', order },
      { mandate: cid, byItself: true },
    ),
  )
const names = async (device: Device) =>
  (await device.within(() => device.vault.contacts.list())).map(({ name }) => name).sort()
const unlock = (device: Device) => device.within(() => device.vault.unlock(passkeyProof()))

/** What the account has of its devices. */
const ofDevices = (device: Device) =>
  device.within(async () =>
    (await clientOf(device.vault).storage.readMetadataUnder(DEVICE_PREFIX)).map(({ key }) => key),
  )

/** From now on, each browser has a separate disk. @returns gives a browser the disk of another one */
function separateDisks(): (browser: TestBrowser, of: TestBrowser) => void {
  const unused = Array.from({ length: 60 }, () => {
    new FakeDisk().install()
    return globalThis.navigator
  })
  const all = new Map<TestBrowser | undefined, Navigator | undefined>()
  const navigatorOf = (browser: TestBrowser | undefined) => {
    if (!all.has(browser)) all.set(browser, unused.pop())
    return all.get(browser)
  }
  vi.stubGlobal('navigator', undefined)
  const get = () => navigatorOf(TestBrowser.here)
  Object.defineProperty(globalThis, 'navigator', { configurable: true, get })
  return (browser, of) => all.set(browser, navigatorOf(of))
}

/** An account on two devices, and the file of the first one's second copy. What other browsers ask the relay is noted. */
async function saved() {
  await relay()
  const giveDisk = separateDisks()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await laptop.within(async () => {
    await laptop.vault.tokens.grant({ audience_did: BOB, command: '/msg/send', label: 'one' })
    await laptop.vault.contacts.save({ name: 'Eve', dids: [BOB] })
  })
  const { mandate } = await laptop.within(() => laptop.vault.mandates.make(TERMS))
  await pay(laptop, mandate.cid, 'A-1')
  await laptop.until(isInStep)
  await laptop.within(async () => clientOf(laptop.vault).openStorage?.mirrored())
  const { address = '' } = laptop.vault.getSnapshot()
  const { file } = await laptop.within(() => laptop.vault.accounts.saveCopy(address))
  const devices = [laptop.browser, phone.browser]
  const asked: string[] = []
  wire.instead = (path) => {
    const { here } = TestBrowser
    if (here && !devices.includes(here)) asked.push(path)
    return undefined
  }
  return { laptop, phone, address, file, cid: mandate.cid, asked, other: new Device(), giveDisk }
}

const restore = (device: Device, file: Blob) => device.within(() => device.vault.accounts.restoreCopy(file))

/** What holds once an account from a file was unlocked. */
async function expectNoDevice(device: Device): Promise<void> {
  expect(device.vault.getSnapshot().phase).toBe('unlocked')
  expect(await device.devices.state()).toMatchObject({ isOn: false })
  expect(await ofDevices(device)).toEqual([])
  expect(await names(device)).toEqual(['Eve'])
  expect((await device.within(() => device.vault.tokens.list())).map(({ label }) => label)).toContain('one')
  expect((await device.within(() => device.vault.activity.read())).missing).toEqual([])
  // Keys change only where the enclave is no device.
  await device.within(() => device.vault.keys.generate())
}

describe('the file of a device’s second copy, opened in another browser', () => {
  it('is an account on no device, and the device goes on', async () => {
    const { laptop, phone, address, file, cid, asked, other } = await saved()
    await other.start()
    await restore(other, file)
    expect(await ofDevices(other)).toEqual([LEAVING])
    await unlock(other)
    await expectNoDevice(other)
    expect(await other.within(async () => needsDevices(address))).toBe(false)
    // Nothing more is paid before a person says so: the device goes on counting.
    const [mandate] = await other.within(() => other.vault.mandates.list())
    expect(mandate).toMatchObject({ cid, suspended: true, remaining: { amount: 19_000 } })
    expect(await nameOf(pay(other, cid, 'B-1'))).toBe('MandateSuspended')
    await other.within(() => other.vault.contacts.save({ name: 'Only here', dids: [CAROL] }))
    await other.restart()
    expect(await names(other)).toEqual(['Eve', 'Only here'])
    expect(asked).toEqual([])

    await pay(laptop, cid, 'A-2')
    await laptop.within(() => laptop.vault.contacts.save({ name: 'Carol', dids: [CAROL] }))
    await phone.until(isInStep)
    await laptop.until(isInStep)
    await vi.waitUntil(async () => (await names(phone)).length === 2, { timeout: 60_000 })
    expect(await names(phone)).toEqual(['Carol', 'Eve'])
    const { devices } = await laptop.devices.state()
    expect(devices).toHaveLength(2)
    // It can be on devices again, which are others.
    await other.devices.start({ relay: RELAY, proof: passkeyProof(), name: 'Other' })
    expect((await other.until(isInStep)).devices).toMatchObject([{ name: 'Other' }])
    await other.restart()
    await other.until(isInStep)
  })

  it('writes nothing as that device, at whichever step its tab is killed', async () => {
    const { file, asked } = await saved()
    for (let at = 0, isDone = false; !isDone; at += 1) {
      const device = new Device()
      await device.start()
      let steps = 0
      const { transaction } = IDBDatabase.prototype
      const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
        this: IDBDatabase,
        ...given
      ) {
        const isHere = TestBrowser.here === device.browser
        if (isHere && given[1] === 'readwrite') steps += 1
        if (isHere && steps > at) throw new DOMException('The tab was killed.', 'AbortError')
        return transaction.apply(this, given)
      })
      await restore(device, file)
        .then(() => unlock(device))
        .catch(() => undefined)
      await device.within(() => device.vault.cleanup()).catch(() => undefined)
      spy.mockRestore()
      isDone = steps <= at
      const next = new Device(device.browser)
      await next.start()
      const { accounts, phase } = next.vault.getSnapshot()
      const [stored] = accounts.filter(({ createdAt }) => createdAt !== undefined)
      if (!stored) await restore(next, file)
      else if (phase === 'empty') await next.within(() => next.vault.accounts.open(stored.address))
      await unlock(next)
      await expectNoDevice(next)
      await next.within(() => next.vault.cleanup())
      expect([at, asked]).toEqual([at, []])
    }
  })

  it('drops what a second copy brings that this browser already had', async () => {
    const { laptop, address, file, asked, giveDisk } = await saved()
    await laptop.within(() => laptop.vault.cleanup())
    const device = new Device()
    giveDisk(device.browser, laptop.browser)
    await device.start()
    await restore(device, file)
    await device.within(async () => clientOf(device.vault).openStorage?.mirrored())
    expect(await ofDevices(device)).toContain(DEVICE_LINK)
    expect(await device.devices.state()).toMatchObject({ isOn: false })
    await unlock(device)
    await expectNoDevice(device)
    await device.within(async () => clientOf(device.vault).openStorage?.mirrored())
    // The second copy has left too.
    await device.within(() => device.vault.cleanup())
    for (const { name = '' } of await device.browser.factory.databases())
      device.browser.factory.deleteDatabase(name)
    const next = new Device(device.browser)
    await next.start()
    await next.within(() => next.vault.accounts.restoreLost(address))
    await unlock(next)
    await expectNoDevice(next)
    expect(asked).toEqual([])
  })

  it('can be read if it cannot leave yet, and is put on no devices before', async () => {
    const { file, asked, other } = await saved()
    await other.start()
    await restore(other, file)
    const { storage } = clientOf(other.vault)
    const spy = vi.spyOn(storage, 'metadataKeysUnder').mockRejectedValue(new Error('the disk fails'))
    await unlock(other)
    spy.mockRestore()
    expect(await names(other)).toEqual(['Eve'])
    expect(await ofDevices(other)).toEqual([LEAVING])
    const start = other.devices.start({ relay: RELAY, proof: passkeyProof(), name: 'Other' })
    expect(await nameOf(start)).toBe('DevicesNotReady')
    await other.within(() => other.vault.lock())
    await unlock(other)
    await expectNoDevice(other)
    expect(asked).toEqual([])
  })
})
