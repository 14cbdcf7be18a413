import { expect, it } from 'vitest'
import { passkeyProof } from '../../test/opening.ts'
import { type Device, isInStep, laptopAndPhone, paired, relay } from '../../test/paired-vaults.ts'
import { separateBrowsers } from '../../test/two-browsers.ts'

separateBrowsers()

/** Resolves once the vault shows what a test wants. */
async function shows(device: Device, is: () => boolean): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = device.vault.on('vault:changed', () => {
        stop()
        resolve()
      })
    })
    if (is()) return
    await changed
  }
}

const nameOf = (device: Device) => device.vault.getSnapshot().label
const keyOf = (device: Device) => device.vault.getSnapshot().keys[0]

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
