// A mandate that was revoked where it isn't counted: the one that counts it pays nothing more.
import { describe, expect, it } from 'vitest'
import { passkeyProof } from '../test/opening.ts'
import { Device, isInStep, laptopAndPhone, nameOf, paired, relay } from '../test/paired-vaults.ts'
import { separateBrowsers } from '../test/two-browsers.ts'

separateBrowsers()

const PAYEE = 'did:web:shop.example'
const FILE = 'the passphrase of the file'
const asked = (order: string) => ({ origin: 'https://shop.example', value: '10.00', currency: 'GBP', order })

/** The cid of a new mandate of the vault's own. */
async function mandateOf(device: Device): Promise<string> {
  const terms = { payees: [PAYEE], max: 5_000, currency: 'GBP' }
  const make = () =>
    device.vault.mandates.make({ ...terms, budget: { period: 'month' as const, payments: 10 } })
  return (await device.within(make)).mandate.cid
}

const pay = (device: Device, mandate: string, order: string, byItself: boolean) =>
  device.within(() => device.vault.payments.authorize(asked(order), { mandate, byItself }))

const endedOn = async (device: Device) =>
  (await device.within(() => device.vault.mandates.list())).map(({ ended }) => ended)

/** Nothing is paid under it, by itself or by hand, and nothing brings it back. */
async function expectEnded(device: Device, mandate: string): Promise<void> {
  expect(await nameOf(pay(device, mandate, 'B-1', true))).toBe('MandateEnded')
  expect(await nameOf(pay(device, mandate, 'B-2', false))).toBe('MandateEnded')
  const confirm = device.within(() => device.vault.mandates.suspend(mandate, false))
  expect(await nameOf(confirm)).toBe('MandateEnded')
  expect(await endedOn(device)).toEqual([true])
  expect(await device.within(() => device.vault.payments.list())).toHaveLength(1)
}

/** Resolves once a change was announced. */
const nextChange = (device: Device, wanted: string) =>
  new Promise<void>((resolve) => {
    const stop = device.vault.on('vault:changed', ({ change }) => {
      if (change !== wanted) return
      stop()
      resolve()
    })
  })

describe('a mandate of the vault that was revoked elsewhere', () => {
  it('on another device, pays nothing any more', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const mandate = await mandateOf(laptop)
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
    await phone.until(isInStep)
    await laptop.until((state) => isInStep(state) && state.devices.length === 2)
    await pay(laptop, mandate, 'A-1', true)
    expect(await endedOn(laptop)).toEqual([false])
    const told = nextChange(laptop, 'mandates')
    await phone.within(() => phone.vault.tokens.revoke({ cid: mandate }))
    await told
    await expectEnded(laptop, mandate)
    await laptop.restart()
    expect(await endedOn(laptop)).toEqual([true])
  })

  it('in another browser, whose backup is merged, pays nothing any more', async () => {
    const [laptop, other] = [await new Device().start(), await new Device().start()]
    await laptop.within(() => laptop.vault.create({ passphrase: FILE }))
    const backup = async (device: Device) =>
      (
        await device.within(() =>
          device.vault.exportVault({ proof: { passphrase: FILE }, exportPassphrase: FILE }),
        )
      ).text
    const before = await backup(laptop)
    const mandate = await mandateOf(laptop)
    await pay(laptop, mandate, 'A-1', true)
    await other.within(() =>
      other.vault.importVault({ text: before, exportPassphrase: FILE, passphrase: FILE }),
    )
    await other.within(() => other.vault.tokens.revoke({ cid: mandate }))
    const theirs = await backup(other)
    await laptop.within(() => laptop.vault.importVault({ text: theirs, exportPassphrase: FILE }))
    await expectEnded(laptop, mandate)
  })
})
