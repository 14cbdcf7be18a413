import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freshBrowser, rawAll, rawDatabase, settled } from '../../test/browser.ts'
import { FakeDisk, Killed } from '../../test/opfs.ts'
import { TokenReader } from '../../tokens/token-reader.ts'
import { removeUnmade, surveyAccounts } from '../account/account-list.ts'
import { AccountStorage } from '../account/account-storage.ts'
import type { TokenRecord } from '../schema.ts'
import { dropStaged, StagedRecords } from './staged-records.ts'

freshBrowser()

const ADDRESS = 'kh1a'
const MANY = 1_000
const opened: AccountStorage[] = []
let disk: FakeDisk

beforeEach(() => {
  disk = new FakeDisk()
  disk.install()
})

afterEach(() => {
  for (const storage of opened.splice(0)) storage.close()
})

const token = (id: string): TokenRecord => ({
  ...{ id, token: `text-${id}`, type: 'received', issuer: 'did:key:z6MkA', audience: 'kh1b' },
  ...{ createdAt: 1, expiresAt: 9, cid: `bafy-${id}` },
})
const sealed = (revision: number) => JSON.stringify({ revision, keys: [{ sealed: 'key' }] })
const NAMES = Array.from({ length: MANY }, (_, at) => `many-${String(at).padStart(5, '0')}`)

async function open(): Promise<AccountStorage> {
  const storage = await AccountStorage.open(ADDRESS)
  opened.push(storage)
  return storage
}

/** Fills a new account from a journal, and stores its state. */
async function fill(storage: AccountStorage): Promise<void> {
  await storage.beginFilling()
  const staged = await StagedRecords.begin(ADDRESS)
  if (!staged) throw new Error('There is no place for a journal.')
  await staged.write(
    (async function* () {
      for (let at = 0; at < MANY; at += 100) yield { tokens: NAMES.slice(at, at + 100).map(token) }
    })(),
  )
  const follows = { journal: staged.journal, seq: 0 }
  await storage.writeState(sealed(1), 1, {}, { restored: true, follows })
}

const idsOf = (tokens: readonly TokenRecord[]) => tokens.map(({ id }) => id).sort()
const stored = async (store: 'tokens' | 'state') =>
  (await rawAll(ADDRESS, store)).map((each) => (each as { id: string }).id).sort()

it('an account reads its tokens from the journal until the database has them', async () => {
  const storage = await open()
  await fill(storage)
  expect(await stored('tokens')).toEqual([])
  expect(await storage.count('tokens')).toBe(MANY)
  expect(idsOf(await storage.readTokens())).toEqual(NAMES)
  expect((await storage.readToken('many-00007'))?.cid).toBe('bafy-many-00007')
  expect((await storage.findToken('did:key:z6MkA', 'bafy-many-00008'))?.id).toBe('many-00008')
  expect(await storage.findToken('did:key:z6MkB', 'bafy-many-00008')).toBeUndefined()
  const pages: string[] = []
  for await (const page of storage.tokenPages(30)) pages.push(...page.map(({ id }) => id))
  expect(pages.sort()).toEqual(NAMES)

  const reader = await TokenReader.open(ADDRESS)
  expect(await reader.ids()).toEqual(NAMES)
  expect(await reader.ids()).toHaveLength(MANY)
  expect(idsOf(await reader.read(['many-00003', 'no', 'many-00001']))).toEqual(['many-00001', 'many-00003'])

  await storage.startMirror({ restored: true })
  await storage.mirrored()
  expect(await stored('tokens')).toEqual(NAMES)
  expect(await stored('state')).toEqual(['current', 'journal'])
  expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'whole' })
  expect(idsOf(await storage.readTokens())).toEqual(NAMES)
  expect(await reader.ids()).toEqual(NAMES)
  await reader.close()
})

it('changes meanwhile stay: what is new, what is deleted, and what is here already', async () => {
  const storage = await open()
  await fill(storage)
  await storage.removeToken('many-00001')
  await storage.writeBatch({ tokens: [token('new')], removed: { tokens: ['many-00002'] } })
  const again = { ...token('other'), cid: 'bafy-many-00003' }
  expect((await storage.addToken(again)).id).toBe('many-00003')
  const expected = ['new', ...NAMES.filter((id) => id !== 'many-00001' && id !== 'many-00002')].sort()
  expect(idsOf(await storage.readTokens())).toEqual(expected)
  expect(await storage.count('tokens')).toBe(expected.length)
  await storage.startMirror({ restored: true })
  await storage.removeToken('many-00999')
  await storage.mirrored()
  expect(await stored('tokens')).toEqual(expected.filter((id) => id !== 'many-00999'))
  expect(await stored('state')).toEqual(['current', 'journal'])
  expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'whole' })
})

it('what is deleted after it was read stays deleted, and can be added again', async () => {
  const storage = await open()
  await fill(storage)
  const reader = await TokenReader.open(ADDRESS)
  const rest = NAMES.filter((id) => id !== 'many-00004')
  expect(idsOf(await storage.readTokens())).toEqual(NAMES)
  expect(await reader.ids()).toEqual(NAMES)

  const tab = await open()
  await tab.removeToken('many-00004')
  expect(idsOf(await storage.readTokens())).toEqual(rest)
  expect(await storage.readToken('many-00004')).toBeUndefined()
  expect(await storage.findToken('did:key:z6MkA', 'bafy-many-00004')).toBeUndefined()
  expect(await storage.count('tokens')).toBe(MANY - 1)
  expect(await reader.ids()).toEqual(rest)
  expect(await reader.read(['many-00004'])).toEqual([])

  const again = { ...token('again'), cid: 'bafy-many-00004' }
  expect((await storage.addToken(again)).id).toBe('again')
  const expected = [...rest, 'again'].sort()
  expect(idsOf(await storage.readTokens())).toEqual(expected)
  await storage.startMirror({ restored: true })
  await storage.mirrored()
  expect(await stored('tokens')).toEqual(expected)
  await reader.close()
})

it('what devices exchange is compared with what only the journal has', async () => {
  const storage = await open()
  await fill(storage)
  await storage.removeToken('many-00002')
  const twin = { ...token('twin'), cid: 'bafy-many-00001' }
  expect((await storage.sameTokens([twin])).get('bafy-many-00001')?.id).toBe('many-00001')
  let found: unknown
  await storage.exchange({ tokens: ['many-00001', 'many-00002', 'none'] }, ({ tokens }) => {
    found = tokens
    return { removed: { tokens: ['many-00001'] } }
  })
  expect(found).toEqual([token('many-00001'), undefined, undefined])
  expect((await storage.sameTokens([twin])).size).toBe(0)
  await storage.startMirror({ restored: true })
  await storage.mirrored()
  expect(await stored('tokens')).toEqual(NAMES.filter((id) => id !== 'many-00001' && id !== 'many-00002'))
})

it('a tab killed at any step leaves all tokens or none', async () => {
  for (let at = 0, killed = true; killed; at += 1) {
    killed = false
    const storage = await open()
    let acknowledged = false
    disk.killAt(at, () => {
      killed = true
      storage.close()
    })
    try {
      await fill(storage)
      await storage.startMirror({ restored: true })
      acknowledged = !killed
      await storage.mirrored()
    } catch (error) {
      if (!killed) throw error
      expect(error instanceof Killed || killed).toBe(true)
    }
    storage.close()
    disk.reboot()
    const next = await open()
    if ((await next.readState()) === undefined) {
      expect(acknowledged, `step ${at}`).toBe(false)
      await next.dropUnfinished()
      await dropStaged(ADDRESS)
      expect(await stored('tokens'), `step ${at}`).toEqual([])
      expect(
        [...disk.files()].filter(([, size]) => size > 0),
        `step ${at}`,
      ).toEqual([])
    } else {
      expect(idsOf(await next.readTokens()), `step ${at}`).toEqual(NAMES)
      await next.startMirror()
      await next.mirrored()
      expect(await stored('tokens'), `step ${at}`).toEqual(NAMES)
    }
    next.close()
    await settled(indexedDB.deleteDatabase(`vault_${ADDRESS}`))
    disk = new FakeDisk()
    disk.install()
  }
})

it('an account whose database is lost meanwhile comes back with all its tokens', async () => {
  const storage = await open()
  await fill(storage)
  await storage.startMirror({ restored: true })
  storage.close()
  await settled(indexedDB.deleteDatabase(`vault_${ADDRESS}`))
  expect(await surveyAccounts()).toMatchObject({
    lost: [{ address: ADDRESS, mirror: 'whole', tokens: MANY }],
  })
})

it('an older version of Keyhole takes everything in from the journal', async () => {
  const storage = await open()
  await fill(storage)
  await storage.startMirror({ restored: true })
  await storage.mirrored()
  // As an older version leaves it: it knows no such record, and writes the mark.
  await rawDatabase(ADDRESS, (db) =>
    settled(
      db
        .transaction('state', 'readwrite')
        .objectStore('state')
        .put({ id: 'following', journal: 'x', seq: 0 }),
    ),
  )
  await storage.removeToken('many-00004')
  const expected = NAMES.filter((id) => id !== 'many-00004')
  expect(idsOf(await storage.readTokens())).toEqual(expected)
  const reader = await TokenReader.open(ADDRESS)
  expect(await reader.ids()).toEqual(expected)
  await reader.close()
})

it('what a killed import left is removed', async () => {
  vi.stubGlobal('navigator', {
    ...navigator,
    locks: {
      request: (_: string, ...rest: unknown[]) => {
        const work = rest.at(-1) as (lock: object | null) => unknown
        return Promise.resolve(work({}))
      },
    },
  })
  const storage = await open()
  await storage.beginFilling()
  const staged = await StagedRecords.begin(ADDRESS)
  await staged?.write(
    (async function* () {
      yield { tokens: [token('a')] }
    })(),
  )
  storage.close()
  const { accounts, lost, unmade } = await surveyAccounts()
  expect({ accounts, lost, unmade }).toEqual({ accounts: [], lost: [], unmade: [ADDRESS] })
  await removeUnmade(ADDRESS)
  expect([...disk.files()]).toEqual([])
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual([])
})

it('files without the rename that it takes are left to the database', async () => {
  vi.stubGlobal(
    'FileSystemFileHandle',
    class {
      createWritable() {}
    },
  )
  expect(await StagedRecords.begin(ADDRESS)).toBeUndefined()
})
