// A backup of an account on several devices: what comes from another one is in no older file.
import { expect, it } from 'vitest'
import { passkeyProof } from '../test/opening.ts'
import { type Device, isInStep, laptopAndPhone, paired, relay } from '../test/paired-vaults.ts'
import { BOB } from '../test/people.ts'
import { separateBrowsers } from '../test/two-browsers.ts'

separateBrowsers()

const FILE = 'the passphrase of the file'

/** Writes a file, and checks it. */
async function backedUp(device: Device): Promise<void> {
  await device.within(async () => {
    const { text } = await device.vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    await device.vault.backups.verify({ text, exportPassphrase: FILE })
  })
}

const hasChanged = async (device: Device) =>
  (await device.within(() => device.vault.backups.health())).changedSince

/** Does something on one device, and waits until another one has it. */
async function passedOn(to: Device, wanted: string, work: () => Promise<unknown>): Promise<void> {
  const told = new Promise<void>((resolve) => {
    to.vault.on('vault:changed', ({ change }) => change === wanted && resolve())
  })
  await work()
  await told
}

it('a token or a key of another device is missing in the checked file', async () => {
  await relay()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await phone.until(isInStep)
  await laptop.until((state) => isInStep(state) && state.devices.length === 2)
  await backedUp(laptop)
  await passedOn(laptop, 'tokens', () =>
    phone.within(() => phone.vault.tokens.grant({ audience_did: BOB, command: '/msg/send' })),
  )
  expect(await hasChanged(laptop)).toBe(true)
  await passedOn(laptop, 'unlock_methods', () => phone.within(() => phone.vault.keys.generate()))
  expect(laptop.vault.getSnapshot().keys).toHaveLength(2)
  expect(await hasChanged(laptop)).toBe(true)
})
