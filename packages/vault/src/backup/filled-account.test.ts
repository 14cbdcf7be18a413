// Many tokens in a new account: one pass through the file, into a journal that only counts once all of it was checked.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser, MemoryStorage, rawAll, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { manyTokens, recordsOf } from '../test/many-tokens.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import { BOB } from '../test/people.ts'
import { forged } from '../test/vectors.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
/** More tokens than are written together with the keys. */
const MANY = 4_100

const vaults = new OpenVaults()
let disk: FakeDisk
let locks: FakeLocks

/** An empty browser that has a file system. */
function emptyBrowser(): void {
  vi.stubGlobal('localStorage', new MemoryStorage())
  disk = new FakeDisk()
  disk.install()
  locks = new FakeLocks()
  vi.stubGlobal('navigator', { ...navigator, locks })
}

beforeEach(emptyBrowser)
afterEach(() => disk.reboot())

const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

async function clear(): Promise<void> {
  await vaults.closeAll()
  for (const name of await databases()) if (name) await settled(indexedDB.deleteDatabase(name))
}

interface Backup {
  readonly address: string
  readonly file: Blob
}
let made: Backup | undefined

/** The backup of an account with many tokens, three of them labelled. Created once. */
async function backup(): Promise<Backup> {
  made ??= await makeBackup()
  return made
}

async function makeBackup(): Promise<Backup> {
  vi.stubGlobal('navigator', { locks })
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  for (const label of ['The first', 'The second', 'The third']) {
    await vault.tokens.grant({ audience_did: BOB, command: '/msg/send', label })
  }
  const [stored] = await vault.client.getPersistedTokens()
  if (!stored) throw new Error('Nothing was stored.')
  const { sealedLabel: _, ...like } = stored
  await clientOf(vault).storage.writeBatch({ tokens: recordsOf(await manyTokens(MANY - 3), like) })
  const { file } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
  await clear()
  emptyBrowser()
  return { address, file }
}

const request = async () => ({
  text: (await backup()).file,
  exportPassphrase: FILE,
  passphrase: PASSPHRASE,
})

async function expectAll(vault: KeyVault): Promise<void> {
  const tokens = await vault.tokens.list()
  expect(tokens).toHaveLength(MANY)
  const labels = tokens.flatMap(({ label }) => label ?? [])
  expect(labels.sort()).toEqual(['The first', 'The second', 'The third'])
}

it('reads the file once, and has everything', async () => {
  const { address } = await backup()
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, world)
  const told: number[] = []
  const onProgress = (done: number) => told.push(done)
  expect(await vault.importVault({ ...(await request()), onProgress })).toEqual({
    ...{ address, tokens: MANY, keys: 1, deletedKeys: [], created: true },
  })
  const chunks = (await (await backup()).file.text()).split('\n').length - 3
  const opened = world.calls.filter(({ name }) => name === 'open_backup_chunk')
  expect(opened).toHaveLength(chunks)
  const checked = world.calls.filter(({ name }) => name === 'check_tokens')
  const texts = checked.flatMap(({ input }) => (input as { tokens: string[] }).tokens)
  expect(texts.length).toBeGreaterThanOrEqual(MANY)
  expect(told[0]).toBe(0)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
  expect(told.filter((done) => done < MANY).at(-1)).toBe(MANY - MANY / 100)
  expect(told.at(-1)).toBe(MANY)
  await expectAll(vault)
  const log = await vault.activity.read()
  expect(log.lines.map(({ act }) => act)).toEqual(expect.arrayContaining(['create', 'grant', 'restore']))
  await vault.lock()
  await vault.unlock(PASSPHRASE)
  await expectAll(vault)
  await clientOf(vault).storage.mirrored()
  expect(await rawAll(address, 'tokens')).toHaveLength(MANY)
})

it('leaves nothing of a file whose last part is missing or has a token that no one signed', async () => {
  const { file } = await backup()
  const text = await file.text()
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, world)
  const nothing = async () => {
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [] })
    expect(await databases()).toEqual([])
    expect([...disk.files()]).toEqual([])
  }
  const cut = text
    .split('\n')
    .toSpliced(-3, 1)
    .join('\n')
    .replace(/,\n\]\}/, '\n]}')
  await expect(vault.importVault({ ...(await request()), text: cut })).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
  })
  await nothing()
  const chunks = text.split('\n').length - 3
  let seen = 0
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    world.plan('open_backup_chunk', async (real) => {
      const answer = (await real()) as { contents: { tokens?: object[] } }
      const { tokens = [] } = answer.contents
      seen += tokens.length
      // The last token of all: the last part may have none, only lines of the log.
      const [last] = seen === MANY ? tokens.slice(-1) : []
      if (last) Object.assign(last, forged())
      return answer
    })
  }
  await expect(vault.importVault(await request())).rejects.toMatchObject({
    details: { name: 'BackupTokenInvalid' },
  })
  await nothing()
  expect(world.calls.map(({ name }) => name)).not.toContain('finish_import')
  await vault.importVault(await request())
  await expectAll(vault)
})

it('a file that cannot be read for a while is not taken for lost', async () => {
  const { address } = await backup()
  for (let failing = 0; failing < 3; failing += 1) {
    const vault = await vaults.start()
    let reads = 0
    disk.before = (step) => {
      if (!/^read .*\.0-0\.segment$/.test(step)) return
      reads += 1
      if (reads > failing) throw new DOMException('The disk is busy.', 'NotReadableError')
    }
    await vault.importVault(await request())
    await clientOf(vault).storage.mirrored()
    expect(reads).toBeGreaterThan(failing)
    await vaults.closeAll()
    disk.reboot()
    const next = await vaults.start()
    await next.unlock(PASSPHRASE)
    await expectAll(next)
    await clientOf(next).storage.mirrored()
    expect(await rawAll(address, 'tokens'), `read ${failing}`).toHaveLength(MANY)
    await clear()
    emptyBrowser()
  }
})

it('a tab killed at any step of the disk leaves an account with everything, or none', async () => {
  const { address } = await backup()
  const kill = async (at: number) => {
    let killed = false
    let acknowledged = false
    const vault = await vaults.start()
    const dying = new Promise<void>((resolve) => {
      disk.killAt(at, () => {
        killed = true
        resolve()
      })
    })
    const work = vault.importVault(await request()).then(
      () => {
        acknowledged = !killed
      },
      (error: unknown) => {
        if (!killed) throw error
      },
    )
    await Promise.race([work, dying])
    if (killed) for (const name of locks.held) locks.kill(name)
    await work
    const steps = disk.steps.length
    await vaults.closeAll()
    disk.reboot()
    const next = await vaults.start()
    const { phase } = next.getSnapshot()
    if (phase === 'empty') {
      expect(acknowledged, `step ${at}`).toBe(false)
      expect(await databases(), `step ${at}`).toEqual([])
      expect(
        [...disk.files()].filter(([, size]) => size > 0),
        `step ${at}`,
      ).toEqual([])
    } else {
      await next.unlock(PASSPHRASE)
      await expectAll(next)
      await clientOf(next).storage.mirrored()
      expect(await rawAll(address, 'tokens'), `step ${at}`).toHaveLength(MANY)
    }
    await clear()
    emptyBrowser()
    return { killed, steps }
  }
  const { steps } = await kill(Number.POSITIVE_INFINITY)
  for (const share of [0.3, 0.7, 0.9, 1]) {
    expect(await kill(Math.floor(share * (steps - 1)))).toMatchObject({ killed: true })
  }
})
