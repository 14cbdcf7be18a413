import { expect, it } from 'vitest'
import { needsDevices } from '../../enclave/needs-devices.ts'
import { DEVICE_LINK, DEVICE_PREFIX } from '../../storage/devices/device-marks.ts'
import { clientOf } from '../../test/client-of.ts'
import { passkeyProof } from '../../test/opening.ts'
import { FakeDisk } from '../../test/opfs.ts'
import { Device, isInStep, laptopAndPhone, paired, RELAY, relay } from '../../test/paired-vaults.ts'
import { BOB } from '../../test/people.ts'
import { separateBrowsers } from '../../test/two-browsers.ts'

separateBrowsers()
const FILE = 'the passphrase of the file'
const PASSPHRASE = 'correct horse battery'

/** What the account has of its devices. */
const ofDevices = (device: Device) =>
  device.within(async () =>
    (await clientOf(device.vault).storage.readMetadataUnder(DEVICE_PREFIX)).map(({ key }) => key),
  )

/** An account on devices whose database is gone, while its second copy is there; its backup, and a token that only the copy has. */
async function lost() {
  await relay()
  const disk = new FakeDisk()
  disk.install()
  const [laptop] = await laptopAndPhone()
  const { text } = await laptop.within(() =>
    laptop.vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE }),
  )
  await laptop.within(() => laptop.vault.contacts.save({ name: 'Eve', dids: [BOB] }))
  await laptop.until(isInStep)
  await laptop.within(async () => clientOf(laptop.vault).openStorage?.mirrored())
  const { address = '' } = laptop.vault.getSnapshot()
  const ofOld = (await ofDevices(laptop)).filter((key) => key.startsWith(`${DEVICE_PREFIX}record:`))
  await laptop.within(() => laptop.vault.cleanup())
  for (const { name = '' } of await laptop.browser.factory.databases())
    laptop.browser.factory.deleteDatabase(name)
  const next = new Device(laptop.browser)
  await next.startAlone()
  const restore = () =>
    next.within(() => next.vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE }))
  return { disk, next, address, restore, ofOld }
}

it('an account that a backup restores is on one device, and its keys can be changed', async () => {
  const { next, address, restore } = await lost()
  await restore()
  expect(await next.devices.state()).toMatchObject({ isOn: false })
  await next.within(() => next.vault.keys.generate({ label: 'second' }))
  expect(next.vault.getSnapshot().keys).toHaveLength(2)
  // What is not about devices was taken from the second copy.
  expect((await next.within(() => next.vault.contacts.list())).map(({ name }) => name)).toEqual(['Eve'])
  expect(await ofDevices(next)).toEqual([])
  expect(await next.within(async () => needsDevices(address))).toBe(false)
  await next.devices.start({ relay: RELAY, proof: { passphrase: PASSPHRASE } })
  await next.until(isInStep)
  await next.within(() => next.vault.keys.generate())
  expect(next.vault.getSnapshot().keys).toHaveLength(3)
})

it.each(['opening it again', 'renewing the copy'])(
  'and stays so if the second copy can only be read when %s',
  async (how) => {
    const { disk, next, restore } = await lost()
    disk.before = (step) => {
      if (/^read .*\.segment$/.test(step)) throw new Error('the file system fails')
    }
    await restore()
    disk.before = undefined
    if (how === 'renewing the copy') await next.within(() => next.vault.accounts.renewCopy())
    else {
      await next.within(() => next.vault.cleanup())
      await next.startAlone()
      await next.within(() => next.vault.unlock(PASSPHRASE))
    }
    await next.within(async () => clientOf(next.vault).openStorage?.mirrored())
    expect(await ofDevices(next)).toEqual([])
    expect((await next.within(() => next.vault.contacts.list())).map(({ name }) => name)).toEqual(['Eve'])
    expect((await next.within(() => next.vault.activity.read())).missing).toEqual([])
    expect(await next.within(() => next.vault.accounts.storageHealth())).toMatchObject({ mirror: 'whole' })
  },
)

it.each(['opening it again', 'renewing the copy'])(
  'and gets none of the earlier devices’ records if it has devices before %s',
  async (how) => {
    const { disk, next, restore, ofOld } = await lost()
    disk.before = (step) => {
      if (/^read .*\.segment$/.test(step)) throw new Error('the file system fails')
    }
    await restore()
    await next.devices.start({ relay: RELAY, proof: { passphrase: PASSPHRASE } })
    await next.until(isInStep)
    const link = () => next.within(() => clientOf(next.vault).storage.readMetadataOf(DEVICE_LINK))
    const made = await link()
    disk.before = undefined
    if (how === 'renewing the copy') await next.within(() => next.vault.accounts.renewCopy())
    else {
      await next.within(() => next.vault.cleanup())
      await next.start()
      await next.within(() => next.vault.unlock(PASSPHRASE))
    }
    await next.within(async () => clientOf(next.vault).openStorage?.mirrored())
    expect(ofOld.length).toBeGreaterThan(0)
    const now = await ofDevices(next)
    expect(ofOld.filter((key) => now.includes(key))).toEqual([])
    expect(await link()).toMatchObject({ account: made?.account, root: made?.root })
    await next.until(isInStep)
    expect((await next.devices.state()).devices).toHaveLength(1)
    // What only the second copy had reaches the devices of now.
    const phone = await new Device().start()
    await paired(next, phone)
    await Promise.all([
      phone.devices.join(),
      next.devices.add({ proof: { passphrase: PASSPHRASE }, name: 'Phone' }),
    ])
    await phone.until(isInStep)
    expect((await phone.within(() => phone.vault.contacts.list())).map(({ name }) => name)).toEqual(['Eve'])
  },
)
