import { expect, it, vi } from 'vitest'
import { systemClock } from '../base/clock.ts'
import type { KeyVault } from '../key-vault.ts'
import { LEAVING } from '../storage/devices/device-marks.ts'
import { segmentParts } from '../storage/journal/journal-format.ts'
import { keyOf, putLine } from '../storage/journal/journal-lines.ts'
import { AccountMirror } from '../storage/mirror/mirror.ts'
import { freshBrowser, MemoryStorage, rawAll } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { TestClock } from '../test/clock.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import { BOB } from '../test/people.ts'
import { TokenReader } from '../tokens/token-reader.ts'
import { restoreCopyFile } from './copy-file.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const request = () => ({ proof: passkeyProof(), exportPassphrase: FILE })
const vaults = new OpenVaults()

const ENDED = 'ended:tokens:forged'
const SPELLED = 'm"\\u0065nded:tokens:forged"'
const endedOf = (record: object) => ({
  ...{ id: ENDED, key: ENDED, accountAddress: 'x', updatedAt: 1, sealed: '-' },
  ...{ store: 'tokens', record },
})

const elsewhere = async (): Promise<KeyVault> => await vaults.start()

/** An account with two tokens and a name, in a browser whose IndexedDB no longer opens. */
async function unopenable() {
  const disk = new FakeDisk()
  disk.install()
  const vault = await elsewhere()
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  await vault.generateKey({ label: 'Phone' })
  const request = { audience_did: BOB, command: '/msg/send' }
  await vault.tokens.grant({ ...request, label: 'one' })
  await vault.tokens.grant({ ...request, label: 'two' })
  await clientOf(vault).openStorage?.mirrored()
  const lines = (await vault.activity.read()).lines.length
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
  /** Another browser, where everything works. */
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

it('a backup is written from the second copy if IndexedDB never opens, and restores everything', async () => {
  const { address, lines, vault, another } = await unopenable()
  expect(vault.getSnapshot().lost).toMatchObject([{ address, mirror: 'whole', tokens: 2 }])
  const done: number[] = []
  const { file, filename, skipped } = await vault.accounts.backupLost(address, {
    ...request(),
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
  expect((await other.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
  const activity = await other.activity.read()
  expect(activity.lines.length).toBeGreaterThanOrEqual(lines)
  expect(activity).toMatchObject({ missing: [], rewritten: [] })
})

it('no backup is written with a wrong passphrase, or from a copy without keys; the copy stays', async () => {
  const { address, vault, disk } = await unopenable()
  const before = [...disk.files().keys()]
  const wrong = { ...request(), proof: { passphrase: 'not the passphrase' } }
  await expect(vault.accounts.backupLost(address, wrong)).rejects.toMatchObject({
    code: 'INVALID_PASSPHRASE',
  })
  await expect(vault.accounts.backupLost('kh1other', request())).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
  })
  expect([...disk.files().keys()]).toEqual(before)
})

it('an account whose IndexedDB never opens is opened in memory, where it can be read and backed up', async () => {
  const { address, vault, another, disk } = await unopenable()
  const before = [...disk.files().keys()]
  await vault.accounts.openCopy(address)
  expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address, fromCopy: true, lost: [] })
  await expect(vault.unlock('not the passphrase')).rejects.toMatchObject({ code: 'INVALID_PASSPHRASE' })
  await vault.unlock(passkeyProof())
  expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', label: 'Alice', fromCopy: true })
  expect((await vault.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
  expect((await vault.activity.read()).lines.map(({ act }) => act)).toContain('grant')
  expect(await vault.unlockMethods.list()).toHaveLength(2)
  expect(await vault.accounts.storageHealth()).toMatchObject({ mirror: 'alone' })
  const reader = await TokenReader.open(address, { fromCopy: true })
  expect((await reader.ids()).length).toBe(2)
  expect((await reader.read(await reader.ids())).map(({ command }) => command)).toEqual([
    '/msg/send',
    '/msg/send',
  ])

  const { file } = await vault.exportVault(request())
  await vault.lock()
  expect(vault.getSnapshot().phase).toBe('locked')
  expect([...disk.files().keys()]).toEqual(before)
  const other = await another()
  await other.importVault({ text: file, exportPassphrase: FILE, passphrase: PASSPHRASE })
  expect((await other.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
})

it('an account opened from its copy cannot be changed, and its enclave keeps nothing half done', async () => {
  const { address, vault, disk } = await unopenable()
  await vault.accounts.openCopy(address)
  await vault.unlock(passkeyProof())
  const { revision, keys } = vault.getSnapshot()
  const [token] = await vault.tokens.list()
  const before = [...disk.files().keys()]
  const refused = { code: 'OPERATION_FAILED', details: { name: 'OpenFromCopy' } }
  await expect(vault.tokens.grant({ audience_did: BOB, command: '/msg/send' })).rejects.toMatchObject(refused)
  await expect(vault.generateKey()).rejects.toMatchObject(refused)
  await expect(vault.changePassphrase(PASSPHRASE, 'another long passphrase')).rejects.toMatchObject(refused)
  await expect(vault.tokens.remove(token?.id ?? '')).rejects.toMatchObject(refused)
  await expect(vault.settings.setAutoLock(null)).rejects.toMatchObject(refused)
  expect(vault.getSnapshot()).toMatchObject({ revision, keys })
  expect(await vault.client.removeExpiredTokens()).toBe(0)
  expect([...disk.files().keys()]).toEqual(before)
})

it('an account opened from its copy can be left and forgotten like any other', async () => {
  const { address, vault } = await unopenable()
  await vault.accounts.openCopy(address)
  await vault.cleanup()
  await vault.initialize()
  expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', lost: [{ address }] })
  await vault.accounts.openCopy(address)
  await vault.accounts.remove(address)
  expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', lost: [] })
})

it('only a lost account is opened from its copy', async () => {
  new FakeDisk().install()
  const vault = await elsewhere()
  const { address } = await vault.create(openedByPasskey())
  await expect(vault.accounts.openCopy(address)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  await expect(vault.accounts.openCopy('kh1other')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  expect(vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
})

it('the second copy is saved as a file without any secret, and restores the account in another browser', async () => {
  const { address, vault, another } = await unopenable()
  const { file, filename } = await vault.accounts.saveCopy(address)
  expect(filename).toMatch(/\.keyhole-copy$/)
  const other = await another()
  expect(await other.accounts.restoreCopy(file)).toEqual({ address, tokens: 2, unreadable: 0 })
  expect(other.getSnapshot()).toMatchObject({ phase: 'locked', address, lost: [] })
  await other.unlock(passkeyProof())
  expect((await other.tokens.list()).map(({ label }) => label).sort()).toEqual(['one', 'two'])
  expect((await other.activity.read()).lines.map(({ act }) => act)).toContain('grant')
  await expect(other.accounts.restoreCopy(file)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
})

it('a copy file is restored at the time of the clock', async () => {
  const { address, vault, another } = await unopenable()
  const { file } = await vault.accounts.saveCopy(address)
  await another()
  const clock = new TestClock()
  clock.set(Date.UTC(2031, 4, 6))
  const other = await vaults.start({}, { clock })
  await other.accounts.restoreCopy(file)
  expect(await other.client.loadPersistedState()).toMatchObject({ lastAccessed: clock.now() })
  expect(await clientOf(other).storage.readMetadataOf(LEAVING)).toMatchObject({ updatedAt: clock.now() })
})

it('a copy file never replaces an account that was made here in the meantime', async () => {
  const { address, vault, another } = await unopenable()
  const { file: backup } = await vault.accounts.backupLost(address, request())
  const older = await another()
  await older.importVault({ text: backup, exportPassphrase: FILE, passphrase: PASSPHRASE })
  await older.generateKey()
  await clientOf(older).openStorage?.mirrored()
  const { file } = await older.accounts.saveCopy(address)
  const other = await another()
  const tab = await elsewhere()
  const stateOf = async () => (await rawAll(address, 'state')).find((each) => Object(each).id === 'current')
  let made: unknown
  const restoring = restoreCopyFile(
    file,
    async () => {
      // Looked for by now, and not found.
      await tab.importVault({ text: backup, exportPassphrase: FILE, passphrase: PASSPHRASE })
      made = await stateOf()
      return await clientOf(other).startEnclave()
    },
    systemClock,
  )
  await expect(restoring).rejects.toMatchObject({ details: { name: 'CopyFileOfAccountHere' } })
  expect(made).toBeDefined()
  expect(await stateOf()).toEqual(made)
})

it('restores the intact part of a damaged copy file, and writes nothing without its keys', async () => {
  const { address, vault, another } = await unopenable()
  const text = await (await vault.accounts.saveCopy(address)).file.text()
  const other = await another()
  const cases = ['', '{}', text.replace('"revision', '"revisiom'), text.slice(0, 200)]
  for (const damaged of cases) {
    await expect(other.accounts.restoreCopy(new Blob([damaged]))).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
  }
  expect(await indexedDB.databases()).toEqual([])
  const cut = text.slice(0, text.lastIndexOf('{"blocks"'))
  expect(await other.accounts.restoreCopy(new Blob([cut]))).toMatchObject({ address, unreadable: 1 })
})

it('restores a copy file in which someone deletes what has no name', async () => {
  const { address, vault, another } = await unopenable()
  const text = await (await vault.accounts.saveCopy(address)).file.text()
  const head = text.slice(0, text.indexOf('\n') + 1)
  const lines = ['-m', '-m"', '-t{"no', '-x"other"']
  const parts = segmentParts({ journal: 'copy', first: 0, last: 0 }, lines)
  const file = [head]
  for await (const part of parts) file.push(typeof part === 'string' ? part : new TextDecoder().decode(part))
  const other = await another()
  expect(await other.accounts.restoreCopy(new Blob(file))).toEqual({ address, tokens: 0, unreadable: 0 })
})

type LineOf = (forged: object) => readonly [key: string, record: object]

it('drops tokens without a valid signature from a copy file', async () => {
  await dropsForged((forged) => [keyOf('tokens', 'forged'), forged])
})

it.each<[string, LineOf]>([
  ['ended tokens', (forged) => [keyOf('metadata', ENDED), endedOf(forged)]],
  ['ended tokens under a key that is spelled otherwise', (forged) => [SPELLED, endedOf(forged)]],
  ['tokens under the key of another one', (forged) => [keyOf('tokens', 'other'), forged]],
  ['tokens under the key of a session', (forged) => [keyOf('sessions', 'other'), forged]],
])('drops %s without a valid signature from a copy file', async (_, lineOf) => {
  await dropsForged(lineOf)
})

async function dropsForged(lineOf: LineOf): Promise<void> {
  const { address, vault, another } = await unopenable()
  const mirror = await AccountMirror.find(address)
  const forged = { id: 'forged', token: 'bm90IGEgdG9rZW4', type: 'origin', issuer: 'x', audience: 'y' }
  const { journal = '', last = 0 } = (await mirror?.journal.list()) ?? {}
  const line = putLine(...lineOf({ ...forged, createdAt: 1 })) ?? ''
  await mirror?.journal.write({ journal, first: last + 1, last: last + 1 }, [line])
  const { file } = await vault.accounts.saveCopy(address)
  expect(await file.text()).toContain('forged')
  const other = await another()
  expect(await other.accounts.restoreCopy(file)).toEqual({ address, tokens: 2, unreadable: 1 })
  for (const store of ['tokens', 'sessions', 'metadata'])
    expect(JSON.stringify(await rawAll(address, store))).not.toContain('forged')
}
