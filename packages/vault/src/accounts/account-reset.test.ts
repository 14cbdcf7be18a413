import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { fillDisk, freshBrowser, MemoryStorage, rawAll, rawPut } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const NEXT = 'another long passphrase'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }
const vaults = new OpenVaults()

const exported = (vault: KeyVault) => vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })

describe('deleted keys', () => {
  async function deletedAfterBackup() {
    const vault = await vaults.start()
    await vault.create(openedByPasskey())
    const { key_id: phone } = await vault.generateKey({ label: 'Phone' })
    const { file } = await exported(vault)
    await vault.deleteKey(phone)
    const keys = () => vault.getSnapshot().keys.map(({ key_id }) => key_id)
    return { vault, phone, keys, request: { text: file, exportPassphrase: FILE } }
  }

  it('stay deleted when an older backup is merged, and the answer names them', async () => {
    const { vault, phone, keys, request } = await deletedAfterBackup()
    expect(await vault.importVault(request)).toMatchObject({ keys: 0, deletedKeys: [phone] })
    expect(keys()).not.toContain(phone)
    // However often it's merged, and after a lock.
    await vault.lock()
    await vault.unlock(passkeyProof())
    expect(await vault.importVault(request)).toMatchObject({ keys: 0, deletedKeys: [phone] })
  })

  it('come back if the person asks for them, and are no longer marked as deleted', async () => {
    const { vault, phone, keys, request } = await deletedAfterBackup()
    const imported = await vault.importVault({ ...request, deletedKeys: true })
    expect(imported).toMatchObject({ keys: 1, deletedKeys: [] })
    expect(keys()).toContain(phone)
    expect(await clientOf(vault).storage.readMetadataOf(`deleted-key:${phone}`)).toBeUndefined()
  })

  it('a key that was not deleted is imported from a backup, whatever is written into the database', async () => {
    const { vault, phone, keys, request } = await deletedAfterBackup()
    const { storage } = clientOf(vault)
    const id = `deleted-key:${phone}`
    const elsewhere = await storage.readMetadataOf('activity:1')
    if (!elsewhere) throw new Error('there is no log')
    await storage.putMetadata({ ...elsewhere, id, key: id })
    expect(await vault.importVault(request)).toMatchObject({ keys: 1, deletedKeys: [] })
    expect(keys()).toContain(phone)
  })

  it('are deleted and remembered together, or not at all', async () => {
    const { vault } = await deletedAfterBackup()
    const { key_id: laptop } = await vault.generateKey()
    const free = fillDisk('state', 'tokens', 'metadata')
    await expect(vault.deleteKey(laptop)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    free()
    expect(vault.getSnapshot().keys.map(({ key_id }) => key_id)).toContain(laptop)
    const { file } = await exported(vault)
    expect(await vault.importVault({ text: file, exportPassphrase: FILE })).toMatchObject({
      deletedKeys: expect.not.arrayContaining([laptop]),
    })
  })

  it('are known after restoring from a later backup', async () => {
    const { vault, phone, request } = await deletedAfterBackup()
    const { file } = await exported(vault)
    await vaults.closeAll()
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    vi.stubGlobal('localStorage', new MemoryStorage())
    const other = await vaults.start()
    await other.importVault({ text: file, exportPassphrase: FILE, passphrase: NEXT })
    expect(await other.importVault(request)).toMatchObject({ keys: 0, deletedKeys: [phone] })
  })
})

it('an account is opened by its own backup in the released enclave, with its names', async () => {
  const to = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  const vault = await vaults.start({}, { createEnclave })
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  await vault.tokens.grant({ ...GRANT, audience_did: to, label: 'one' })
  const { file } = await exported(vault)
  await vault.tokens.grant({ ...GRANT, audience_did: to, label: 'two' })
  const { key_id: phone } = await vault.generateKey({ label: 'Phone' })
  await vault.lock()
  const request = { text: file, exportPassphrase: FILE, passphrase: NEXT }
  expect(await vault.accounts.reset(request)).toEqual({ address, keys: 1, tokens: 0, lostKeys: [phone] })
  expect((await vault.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
  const { lines, missing, rewritten } = await vault.activity.read()
  expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
  expect(lines.filter(({ act }) => act === 'grant')).toHaveLength(2)
  await vault.deleteKey((await vault.generateKey()).key_id)
  await vault.lock()
  await expect(vault.unlock(passkeyProof())).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
  await vault.unlock(NEXT)
})

describe('a locked account in this browser', () => {
  /** One grant and one key are newer than the backup, and the passphrase is lost. */
  async function forgotten() {
    new FakeDisk().install()
    const vault = await vaults.start()
    const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
    await vault.tokens.grant({ ...GRANT, label: 'one' })
    const { file } = await exported(vault)
    await vault.tokens.grant({ ...GRANT, label: 'two' })
    await vault.generateKey({ label: 'Phone' })
    await vault.lock()
    return { vault, address, request: { text: file, exportPassphrase: FILE, passphrase: NEXT } }
  }

  it('is opened by its own backup with a new passphrase, and loses no token', async () => {
    const { vault, address, request } = await forgotten()
    const { revision } = vault.getSnapshot()
    const reset = await vault.accounts.reset(request)
    expect(reset).toMatchObject({ address, keys: 1, tokens: 0 })
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address, label: 'Alice' })
    expect(vault.getSnapshot().revision).toBeGreaterThan(revision)
    expect((await vault.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
    const { lines, missing, rewritten } = await vault.activity.read()
    expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
    expect(lines.filter(({ act }) => act === 'grant')).toHaveLength(2)
    expect(lines.map(({ act }) => act)).toContain('reset')

    await vault.lock()
    await expect(vault.unlock(passkeyProof())).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    await vault.unlock(NEXT)
    await vault.tokens.grant({ ...GRANT, label: 'three' })
    await clientOf(vault).openStorage?.mirrored()
    expect(await vault.accounts.storageHealth()).toMatchObject({ mirror: 'whole' })
    // The replaced state is still there.
    const replaced = expect.objectContaining({ id: expect.stringMatching(/^replaced-/) })
    expect(await rawAll(address, 'state')).toContainEqual(replaced)
    // It goes with the methods that open this one, as one that could not be read does.
    await rawPut(address, 'state', { id: 'unreadable-1', damaged: true })
    await vault.generateKey()
    expect(await rawAll(address, 'state')).toContainEqual(replaced)
    await vault.unlockMethods.setPassphrase({ passphrase: NEXT }, `${NEXT} again`)
    const ids = (await rawAll(address, 'state')).map((each) => (each as { id: string }).id)
    expect(ids.filter((id) => /^(replaced|unreadable)-/.test(id))).toEqual([])
  })

  it('is opened this way while another account is open, and while its attempts have to wait', async () => {
    const { vault, address, request } = await forgotten()
    for (let tries = 0; tries < 4; tries += 1) await vault.unlock('not the passphrase').catch(() => undefined)
    await vault.create(openedByPasskey())
    await vault.accounts.reset(request)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
  })

  it('stays as it was if the file does not open, belongs to another account, or does not fit', async () => {
    const { vault, address, request } = await forgotten()
    const before = await rawAll(address, 'state')
    const wrong = { ...request, exportPassphrase: 'not the one of the file' }
    await expect(vault.accounts.reset(wrong)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    const weak = { ...request, passphrase: 'short' }
    await expect(vault.accounts.reset(weak)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
    const free = fillDisk('state', 'tokens', 'metadata')
    await expect(vault.accounts.reset(request)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await rawAll(address, 'state')).toEqual(before)
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address })
    await vault.unlock(passkeyProof())
    // An open account doesn't need this.
    await expect(vault.accounts.reset(request)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  })

  it('is not created from a file if it is not here', async () => {
    const { request } = await forgotten()
    await vaults.closeAll()
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    new FakeDisk().install()
    vi.stubGlobal('localStorage', new MemoryStorage())
    const other = await vaults.start()
    await expect(other.accounts.reset(request)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await indexedDB.databases()).toEqual([])
  })

  it('is opened in another tab too, which follows', async () => {
    const world = new EnclaveWorld()
    new FakeDisk().install()
    const vault = await vaults.start({}, world)
    const { address } = await vault.create(openedByPasskey())
    const { file } = await exported(vault)
    await vault.lock()
    const tab = await vaults.start({}, world)
    expect(tab.getSnapshot()).toMatchObject({ phase: 'locked', address })
    await vault.accounts.reset({ text: file, exportPassphrase: FILE, passphrase: NEXT })
    await expect.poll(() => tab.getSnapshot().revision).toBe(vault.getSnapshot().revision)
    await tab.lock()
    await tab.unlock(NEXT)
    expect(tab.getSnapshot().phase).toBe('unlocked')
  })
})
