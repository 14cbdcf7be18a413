import { expect, it } from 'vitest'
import type { ActivityLine } from '../../activity/activity-log.ts'
import { passkeyProof } from '../../test/opening.ts'
import { Device, isInStep, laptopAndPhone, paired, relay } from '../../test/paired-vaults.ts'
import { BOB } from '../../test/people.ts'
import { separateBrowsers } from '../../test/two-browsers.ts'

separateBrowsers()

const read = (device: Device) => device.within(() => device.vault.activity.read())
const words = ({ act, device }: ActivityLine) => (device ? `${act} on ${device.name ?? 'another'}` : act)
const linesOf = async (device: Device) => (await read(device)).lines.map(words)

/** Resolves once the log shows a line. */
async function shows(device: Device, line: string): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = device.vault.on('vault:changed', () => {
        stop()
        resolve()
      })
    })
    if ((await linesOf(device)).includes(line)) return
    await changed
  }
}

async function together(): Promise<[Device, Device]> {
  await relay()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await laptop.until((state) => isInStep(state) && state.devices.every(({ lastHeard }) => lastHeard))
  return [laptop, phone]
}

it('each vault shows what was done on both, by name, and its own log is whole', async () => {
  const [laptop, phone] = await together()
  // What was done before there was a second device came with everything else.
  await shows(phone, 'create on Laptop')
  await phone.within(() => phone.vault.contacts.save({ name: 'Bob', dids: [BOB] }))
  await shows(laptop, 'addContact on Phone')
  for (const device of [laptop, phone]) {
    const { lines, missing, rewritten } = await read(device)
    expect([missing, rewritten]).toEqual([[], []])
    const own = lines.filter(({ device }) => !device).map(({ seq }) => seq)
    expect(own).toEqual(own.map((_, index) => index + 1))
    const keys = lines.map(({ seq, device }) => `${device?.id} ${seq}`)
    expect(new Set(keys).size).toBe(keys.length)
  }
  expect((await linesOf(laptop)).filter((line) => line === 'addContact on Phone')).toHaveLength(1)
  // Locked, no one reads them.
  await phone.within(() => phone.vault.lock())
  await expect(read(phone)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  await phone.within(() => phone.vault.unlock(passkeyProof()))
  await shows(laptop, 'lock on Phone')
})

it('a backup has the lines of other devices, and what those are called', async () => {
  const [laptop, phone] = await together()
  await phone.within(() => phone.vault.contacts.save({ name: 'Bob', dids: [BOB] }))
  await shows(laptop, 'addContact on Phone')
  const exportPassphrase = 'four horses under one old roof'
  const { text } = await laptop.within(() =>
    laptop.vault.exportVault({ proof: passkeyProof(), exportPassphrase }),
  )
  // Merged where its lines are already, it adds none.
  const before = (await linesOf(phone)).filter((line) => line.startsWith('addContact'))
  await phone.within(() => phone.vault.importVault({ text, exportPassphrase }))
  expect((await linesOf(phone)).filter((line) => line.startsWith('addContact'))).toEqual(before)
  const tablet = await new Device().start()
  await tablet.within(() =>
    tablet.vault.importVault({ text, exportPassphrase, passphrase: 'seven lamps along a wet road' }),
  )
  const lines = await linesOf(tablet)
  expect(lines).toContain('addContact on Phone')
  expect(lines.filter((line) => line === 'create')).toHaveLength(1)
  expect(await read(tablet)).toMatchObject({ missing: [], rewritten: [] })
})
