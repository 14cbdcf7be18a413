// Whether a person has kept the recovery code is said of one code, not of the next one.
import { expect, it } from 'vitest'
import { recoveryCodeRecord } from '../storage/account/recovery-code.ts'
import { isHead } from '../sync/stored/stored-records.ts'
import { clientOf } from '../test/client-of.ts'
import { passkeyProof } from '../test/opening.ts'
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
import { separateBrowsers } from '../test/two-browsers.ts'

separateBrowsers()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'

const isKept = (device: Device) => device.within(() => device.vault.unlockMethods.recoveryCodeConfirmed())
const confirm = (device: Device) => device.within(() => device.vault.unlockMethods.confirmRecoveryCode())
const newCode = (device: Device) =>
  device.within(() => device.vault.unlockMethods.newRecoveryCode(passkeyProof()))

it('a code that no one was shown is not kept once it is in force', async () => {
  const world = await relay()
  const [laptop, phone] = await laptopAndPhone()
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await confirm(laptop)
  await laptop.until(isInStep)
  await phone.until(isInStep)
  expect(await isKept(laptop)).toBe(true)
  // The relay gets the head, and then shows nothing new to anyone.
  let withholds = false
  wire.instead = async (path, init) => {
    if (path === '/records/append' && isHead(JSON.parse(String(init.body)).record)) withholds = true
    if (path !== '/records/read' || !withholds) return undefined
    const request = new Request(`${RELAY}${path}`, init)
    const page = await (await world.relay.fetch(request, { address: '192.0.2.1' })).json()
    return Response.json({ ...page, records: [] })
  }
  expect(await nameOf(newCode(laptop))).toBe('ChangeUnsure')
  expect(await isKept(laptop)).toBe(true)
  wire.instead = () => undefined
  for (const device of [laptop, phone]) {
    const isAdopted = new Promise<void>((resolve) => {
      device.vault.on('vault:changed', ({ change }) => change === 'unlock_methods' && resolve())
    })
    await device.devices.retry()
    await isAdopted
    expect(await isKept(device)).toBe(false)
  }
})

it('a backup of another browser does not say it of a code that is only here', async () => {
  const [laptop, other] = [await new Device().start(), await new Device().start()]
  await laptop.within(() => laptop.vault.create({ passphrase: PASSPHRASE, recoveryCode: true }))
  const proof = { passphrase: PASSPHRASE }
  const backup = async (device: Device) =>
    (await device.within(() => device.vault.exportVault({ proof, exportPassphrase: FILE }))).text
  const text = await backup(laptop)
  await other.within(() => other.vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE }))
  await laptop.within(() => laptop.vault.unlockMethods.newRecoveryCode(proof))
  expect(await isKept(laptop)).toBe(false)
  other.clock.pass(60_000)
  await other.within(() => other.vault.unlockMethods.newRecoveryCode(proof))
  await confirm(other)
  expect(await isKept(other)).toBe(true)
  const theirs = await backup(other)
  await laptop.within(() => laptop.vault.importVault({ text: theirs, exportPassphrase: FILE }))
  expect(await isKept(laptop)).toBe(false)
  await confirm(laptop)
  expect(await isKept(laptop)).toBe(true)
})

it('a record of an older version counts for the code that was there then', async () => {
  const laptop = await new Device().start()
  await laptop.within(() => laptop.vault.create({ passphrase: PASSPHRASE, recoveryCode: true }))
  const { enclave, storage } = clientOf(laptop.vault)
  const { methods } = JSON.parse(clientOf(laptop.vault).sealedState ?? '')
  const made = methods.find(({ kind }: { kind: string }) => kind === 'recovery_code').created_at * 1000
  for (const [at, isSaid] of [
    [made + 1_000, true],
    [made - 1_000, false],
  ] as const) {
    const standing = { confirmed: true, of: undefined }
    const record = await recoveryCodeRecord(enclave, storage.address, standing, at)
    await laptop.within(() => storage.writeBatch({ metadata: [record] }))
    expect(await isKept(laptop)).toBe(isSaid)
  }
})
