// Merges contacts of two copies of an account, from a backup and from the second copy. The last write wins, and no DID
// is lost.
import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser, MemoryStorage, settled } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import type { Contact } from './contact.ts'
import { resolved } from './contact-records.ts'

freshBrowser()
const vaults = new OpenVaults()

const PASSPHRASE = 'correct horse battery staple'
const FILE = 'another passphrase for the file'
const ANNA = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const BOB = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'

async function alice() {
  const clock = new TestClock()
  const vault = await vaults.start({}, { clock })
  await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, clock }
}

async function backupOf(vault: KeyVault): Promise<string> {
  return (await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })).text
}

/** Another browser, with nothing from this one. */
async function elsewhere(text: string, clock: TestClock): Promise<KeyVault> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  vi.stubGlobal('localStorage', new MemoryStorage())
  const vault = await vaults.start({}, { clock })
  await vault.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
  return vault
}

const merge = (vault: KeyVault, text: string) => vault.importVault({ text, exportPassphrase: FILE })
const names = async (vault: KeyVault) =>
  (await vault.contacts.list()).map(({ name, dids }) => [name, ...dids])

describe('a backup', () => {
  it('brings contacts to another browser, sealed in the file', async () => {
    const { vault, clock } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA], note: 'met in Bern' })
    const gone = await vault.contacts.save({ name: 'Bob', dids: [BOB] })
    await vault.contacts.remove(gone.id)
    const text = await backupOf(vault)
    expect(text).not.toContain('Anna')
    const other = await elsewhere(text, clock)
    expect(await other.contacts.list()).toEqual([anna])
  })

  it('that is older undoes nothing: neither a name nor a removal', async () => {
    const { vault, clock } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    clock.pass(1)
    const bob = await vault.contacts.save({ name: 'Bob', dids: [BOB] })
    const older = await backupOf(vault)
    clock.pass(1_000)
    await vault.contacts.rename(anna.id, 'Anna Berger')
    await vault.contacts.remove(bob.id)
    await merge(vault, older)
    expect(await names(vault)).toEqual([['Anna Berger', ANNA]])
  })

  it('that is newer brings its names and removals', async () => {
    const { vault, clock } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    clock.pass(1)
    const bob = await vault.contacts.save({ name: 'Bob', dids: [BOB] })
    const older = await backupOf(vault)
    clock.pass(1_000)
    await vault.contacts.rename(anna.id, 'Anna Berger')
    await vault.contacts.remove(bob.id)
    const newer = await backupOf(vault)
    const other = await elsewhere(older, clock)
    expect(await names(other)).toEqual([
      ['Anna', ANNA],
      ['Bob', BOB],
    ])
    const heard: string[] = []
    other.on('vault:imported', () => heard.push('imported'))
    await merge(other, newer)
    expect(heard).toEqual(['imported'])
    expect(await names(other)).toEqual([['Anna Berger', ANNA]])
  })

  it('that gives a DID to another contact: the contact written last has it, and neither record loses it', async () => {
    const { vault, clock } = await alice()
    const empty = await backupOf(vault)
    await vault.contacts.save({ name: 'Anna', dids: [ANNA, BOB] })
    const first = await backupOf(vault)
    const other = await elsewhere(empty, clock)
    clock.pass(1_000)
    const later = await other.contacts.save({ name: 'Anna’s laptop', kind: 'device', dids: [ANNA] })
    await merge(other, first)
    expect(await names(other)).toEqual([
      ['Anna', BOB],
      ['Anna’s laptop', ANNA],
    ])
    // The other contact's record has the DID too, and gets it back once this one is removed.
    await other.contacts.remove(later.id)
    expect(await names(other)).toEqual([['Anna', ANNA, BOB]])
  })
})

it('two copies give the same result, whichever is merged into the other', () => {
  const contact = (id: string, updatedAt: number, ...dids: string[]): Contact => ({
    ...{ id, name: id, kind: 'person', dids, createdAt: 1, updatedAt },
  })
  const all = [contact('a', 5, ANNA, BOB), contact('b', 5, ANNA), contact('c', 4, BOB), contact('d', 6)]
  const said = (contacts: readonly Contact[]) => resolved(contacts).map(({ id, dids }) => [id, ...dids])
  expect(said(all)).toEqual([['a', BOB], ['b', ANNA], ['c'], ['d']])
  expect(said(all.toReversed())).toEqual(said(all))
})

it('contacts are restored from the second copy', async () => {
  new FakeDisk().install()
  const { vault, clock } = await alice()
  const { address = '' } = vault.getSnapshot()
  const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
  const after = await vaults.start({}, { clock })
  expect(after.getSnapshot().lost.map((lost) => lost.address)).toEqual([address])
  await after.accounts.openCopy(address)
  await after.unlock(passkeyProof())
  expect(await after.contacts.list()).toEqual([anna])
  await expect(after.contacts.rename(anna.id, 'Anne')).rejects.toMatchObject({
    details: { name: 'OpenFromCopy' },
  })
  await after.accounts.restoreLost(address)
  await after.unlock(passkeyProof())
  expect(await after.contacts.list()).toEqual([anna])
})
