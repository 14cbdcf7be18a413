import { expect, it } from 'vitest'
import { passkeyProof } from '../../test/opening.ts'
import { type Device, isInStep, laptopAndPhone, paired, relay } from '../../test/paired-vaults.ts'
import { separateBrowsers } from '../../test/two-browsers.ts'

separateBrowsers()

/** Resolves once the vault shows what a test wants. */
async function shows(device: Device, is: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = device.vault.on('vault:changed', () => {
        stop()
        resolve()
      })
    })
    if (await is()) return
    await changed
  }
}

const nameOf = (device: Device) => device.vault.getSnapshot().label
const keyOf = (device: Device) => device.vault.getSnapshot().keys[0]

/** A device whose account, key and unlock method have names that the other one knows. */
async function named(): Promise<[Device, Device]> {
  await relay()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await phone.within(() => phone.vault.keys.label(keyOf(phone)?.key_id ?? '', 'first'))
  const [method] = await phone.within(() => phone.vault.unlockMethods.list())
  await phone.within(() => phone.vault.unlockMethods.label(method?.id ?? '', 'blue'))
  await shows(laptop, () => keyOf(laptop)?.label === 'first')
  await phone.until(isInStep)
  return [laptop, phone]
}

const methodLabel = async (device: Device) =>
  (await device.within(() => device.vault.unlockMethods.list()))[0]?.label

it('a name that is given before the script for devices is loaded counts', async () => {
  const [laptop, phone] = await named()
  await phone.within(() => phone.vault.cleanup())
  await phone.startAlone()
  await phone.within(() => phone.vault.unlock(passkeyProof()))
  await phone.within(() => phone.vault.accounts.label('Ada at work'))
  await phone.within(() => phone.vault.keys.label(keyOf(phone)?.key_id ?? '', ''))
  const [method] = await phone.within(() => phone.vault.unlockMethods.list())
  await phone.within(() => phone.vault.unlockMethods.label(method?.id ?? '', 'green'))
  await phone.devices.state()
  await phone.until(isInStep)
  expect([nameOf(phone), keyOf(phone)?.label, await methodLabel(phone)]).toEqual([
    'Ada at work',
    undefined,
    'green',
  ])
  await shows(laptop, () => nameOf(laptop) === 'Ada at work' && keyOf(laptop)?.label === undefined)
  await shows(laptop, async () => (await methodLabel(laptop)) === 'green')
})

it('a name that a vault gives is the other one’s too, and each says so', async () => {
  await relay()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  // It had that name before it had devices.
  await shows(phone, () => nameOf(phone) === 'Ada')
  await phone.within(() => phone.vault.accounts.label('Ada at work'))
  await phone.within(() => phone.vault.keys.label(keyOf(phone)?.key_id ?? '', 'first'))
  await shows(laptop, () => nameOf(laptop) === 'Ada at work' && keyOf(laptop)?.label === 'first')
  await laptop.within(() => laptop.vault.accounts.label(''))
  await shows(phone, () => nameOf(phone) === undefined)
  // What the other one gave is not told again: both are in step.
  await phone.until(isInStep)
  await laptop.until(isInStep)
  const { lines } = await laptop.within(() => laptop.vault.activity.read())
  expect(lines.map(({ act }) => act)).toContain('adoptDevices')
})
