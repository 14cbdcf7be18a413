import { expect, it, vi } from 'vitest'
import type { KeyVault } from './key-vault.ts'
import { freshBrowser, MemoryStorage } from './test/browser.ts'
import { FakeWorld } from './test/fake-enclave.ts'
import { OpenVaults } from './test/open-vaults.ts'
import { FakeDisk } from './test/opfs.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const REQUEST = { proof: { passphrase: PASSPHRASE }, exportPassphrase: FILE }
const vaults = new OpenVaults()

const elsewhere = async (): Promise<KeyVault> => await vaults.start({}, new FakeWorld())

/** An account of two tokens and a name, in a browser whose IndexedDB has stopped opening. */
async function unopenable() {
  const disk = new FakeDisk()
  disk.install()
  const vault = await elsewhere()
  const { address } = await vault.create({ passphrase: PASSPHRASE, label: 'Alice' })
  await vault.generateKey({ label: 'Phone' })
  const request = { audience_did: 'did:key:zBob', command: '/msg/send' }
  await vault.grant({ ...request, label: 'one' })
  await vault.grant({ ...request, label: 'two' })
  await vault.client.openStorage?.mirrored()
  const lines = (await vault.activity()).lines.length
  await vaults.closeAll()
  const broken = () => {
    throw new DOMException('Internal error opening backing store.', 'UnknownError')
  }
  const spies = [
    vi.spyOn(indexedDB, 'open').mockImplementation(broken),
    vi.spyOn(indexedDB, 'databases').mockImplementation(async () => broken()),
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(broken),
  ]
  const next = await elsewhere()
  /** Another browser, where all of it works. */
  const another = async () => {
    for (const spy of spies) spy.mockRestore()
    await vaults.closeAll()
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    new FakeDisk().install()
    vi.stubGlobal('localStorage', new MemoryStorage())
    return await elsewhere()
  }
  return { address, lines, disk, vault: next, another }
}

it('a backup is written from the second copy where IndexedDB never opens, and brings back everything', async () => {
  const { address, lines, vault, another } = await unopenable()
  expect(vault.getSnapshot().lost).toMatchObject([{ address, mirror: 'whole', tokens: 2 }])
  const done: number[] = []
  const { file, filename, skipped } = await vault.backupLost(address, {
    ...REQUEST,
    onProgress: (count) => done.push(count),
  })
  expect(filename).toContain(address)
  expect(skipped).toEqual([])
  expect(done.at(-1)).toBe(2)
  expect(vault.getSnapshot().lost).toHaveLength(1)

  const other = await another()
  await other.importVault({ text: file, exportPassphrase: FILE, passphrase: PASSPHRASE })
  expect(other.getSnapshot()).toMatchObject({ address, label: 'Alice', phase: 'unlocked' })
  expect(other.getSnapshot().keys.map(({ label }) => label)).toContain('Phone')
  expect((await other.tokens()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
  const activity = await other.activity()
  expect(activity.lines.length).toBeGreaterThanOrEqual(lines)
  expect(activity).toMatchObject({ missing: [], rewritten: [] })
})

it('no backup is written by a wrong passphrase, or from a copy without keys; the copy stays', async () => {
  const { address, vault, disk } = await unopenable()
  const before = [...disk.files().keys()]
  const wrong = { ...REQUEST, proof: { passphrase: 'not the passphrase' } }
  await expect(vault.backupLost(address, wrong)).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
  await expect(vault.backupLost('kh1other', REQUEST)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  expect([...disk.files().keys()]).toEqual(before)
})
