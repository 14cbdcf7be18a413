import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser, MemoryStorage, rawAll, rawDatabase, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { manyTokens, recordsOf } from '../test/many-tokens.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }
/** More tokens than are written together with the keys. */
const MANY = 4_100

const vaults = new OpenVaults()
let locks: FakeLocks

/** Lets killed work finish after a test, so that its vault can be closed. */
const releases: (() => void)[] = []
afterEach(() => {
  for (const release of releases.splice(0)) release()
})

beforeEach(() => {
  locks = new FakeLocks()
  vi.stubGlobal('navigator', { locks })
})

const databases = async () => (await indexedDB.databases()).map(({ name }) => name)

interface Crowded {
  readonly address: string
  readonly small: Blob
  readonly large: Blob
}

let made: Crowded | undefined

/** A fresh browser, and the backup of an account with many tokens, the first of them labelled. Created once. */
async function crowded(): Promise<Crowded> {
  made ??= await makeCrowded()
  return made
}

async function makeCrowded(): Promise<Crowded> {
  const many = await manyTokens(MANY - 1)
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  await vault.tokens.grant({ ...GRANT, label: 'The first' })
  const exported = () => vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
  const { file: small } = await exported()
  const [stored] = await vault.client.getPersistedTokens()
  if (!stored) throw new Error('Nothing was stored.')
  await clientOf(vault).storage.writeBatch({ tokens: recordsOf(many, stored) })
  const { file: large } = await exported()
  await vaults.closeAll()
  for (const name of await databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  return { address, small, large }
}

/** An import in a separate tab, paused when most of its tokens are written but not the state. */
async function halfWay(address: string, large: Blob) {
  const held = new EnclaveWorld()
  const vault = await vaults.start({}, held)
  // The last call before the state is written: its line of the log.
  const { reached, release } = held.holdUp('log_activity')
  const work = vault.importVault({ text: large, exportPassphrase: FILE, passphrase: PASSPHRASE })
  work.catch(() => undefined)
  await reached
  expect((await rawAll(address, 'tokens')).length).toBeGreaterThan(1_000)
  releases.push(release)
  return { vault, work, release, kill: () => locks.kill(`keyhole:write:${address}`) }
}

const shown = (vault: KeyVault) => {
  const { phase, accounts, lost } = vault.getSnapshot()
  return { phase, accounts: accounts.map(({ address }) => address), lost }
}

it('a killed import leaves nothing after the next start', async () => {
  const { address, large } = await crowded()
  const { kill } = await halfWay(address, large)
  kill()
  const next = await vaults.start()
  expect(shown(next)).toEqual({ phase: 'empty', accounts: [], lost: [] })
  expect(await databases()).toEqual([])
})

it('an import continues while another tab starts without waiting for it, and is complete', async () => {
  const { address, large } = await crowded()
  const { vault, work, release } = await halfWay(address, large)
  expect(await rawAll(address, 'state')).toEqual([{ id: 'unfinished' }])
  const other = await vaults.start()
  expect(shown(other)).toEqual({ phase: 'empty', accounts: [], lost: [] })
  release()
  expect(await work).toMatchObject({ address, tokens: MANY, created: true })
  expect(await vault.tokens.list()).toHaveLength(MANY)
  expect((await rawAll(address, 'state')).map((each) => (each as { id: string }).id)).not.toContain(
    'unfinished',
  )
  await vault.cleanup()
  const next = await vaults.start()
  expect(shown(next).accounts).toEqual([address])
  expect(await rawAll(address, 'tokens')).toHaveLength(MANY)
})

it('the leftovers of a killed import do not mix with the next one', async () => {
  const { address, small, large } = await crowded()
  const here = await vaults.start()
  const { kill } = await halfWay(address, large)
  kill()
  await here.importVault({ text: small, exportPassphrase: FILE, passphrase: PASSPHRASE })
  expect((await here.tokens.list()).map(({ label }) => label)).toEqual(['The first'])
})

it('an account whose state is gone keeps its records, even if an import into it is killed', async () => {
  const { address, small, large } = await crowded()
  const vault = await vaults.start()
  await vault.importVault({ text: small, exportPassphrase: FILE, passphrase: PASSPHRASE })
  const own = await vault.tokens.grant({ ...GRANT, label: 'Since the backup' })
  await vaults.closeAll()
  await rawDatabase(address, (db) =>
    settled(db.transaction('state', 'readwrite').objectStore('state').clear()),
  )
  // localStorage forgets that the account was here.
  vi.stubGlobal('localStorage', new MemoryStorage())
  const ids = async () => (await rawAll(address, 'tokens')).map((each) => (each as { id: string }).id)
  await vaults.start()
  expect(await ids()).toContain(own.id)
  const { kill } = await halfWay(address, large)
  kill()
  await vaults.start()
  expect(await ids()).toContain(own.id)
})

it('deletes nothing from a database if there are no locks that other tabs see', async () => {
  const { address, large } = await crowded()
  const { kill } = await halfWay(address, large)
  kill()
  vi.stubGlobal('navigator', {})
  await vaults.start()
  expect((await rawAll(address, 'tokens')).length).toBeGreaterThan(1_000)
})
