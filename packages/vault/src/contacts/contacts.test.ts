// Contacts with the real enclave: what is stored, sealed and refused, and how two tabs stay in sync.
import { describe, expect, it, vi } from 'vitest'
import { sealTexts } from '../enclave/sealed-text.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { TestClock } from '../test/clock.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'

freshBrowser()
const vaults = new OpenVaults()

const ANNA = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const BOB = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const PRINTER = 'did:web:printer.example'

const refusal = (name: string) => ({ details: { name } })

/** A clock on which no two things happen at once, so that the order of contacts is clear. */
class TickingClock extends TestClock {
  override now(): number {
    this.sleep(1)
    return super.now()
  }
}

async function alice(clock: TestClock = new TickingClock()) {
  const vault = await vaults.start({}, { clock })
  await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, clock }
}

async function contactRecords(vault: KeyVault) {
  const { address = '' } = vault.getSnapshot()
  const all = (await rawAll(address, 'metadata')) as { id: string; sealed: string }[]
  return all.filter(({ id }) => id.startsWith('contact:'))
}

const lastLine = async (vault: KeyVault) => (await vault.activity.read()).lines.at(-1)

describe('a contact', () => {
  it('is saved, found by its id and its DIDs, and stored sealed with a log line', async () => {
    const { vault, clock } = await alice()
    const changes: string[] = []
    vault.on('vault:changed', ({ change }) => changes.push(change))
    const before = vault.getSnapshot().revision
    const anna = await vault.contacts.save({
      ...{ name: ' Anna\u202e Berger ', kind: 'agent', dids: [ANNA, PRINTER] },
      ...{ note: 'met in Bern', suggestedName: 'annabot' },
    })
    expect(anna).toMatchObject({
      ...{ name: 'Anna Berger', kind: 'agent', dids: [ANNA, PRINTER] },
      ...{ note: 'met in Bern', suggestedName: 'annabot' },
    })
    expect(changes).toEqual(['contacts'])
    expect(vault.getSnapshot().revision).toBeGreaterThan(before)
    expect(await vault.contacts.list()).toEqual([anna])
    expect(await vault.contacts.get(anna.id)).toEqual(anna)
    expect(await vault.contacts.find(PRINTER)).toEqual(anna)
    expect(await vault.contacts.find(BOB)).toBeUndefined()
    const line = await lastLine(vault)
    expect(line).toMatchObject({ act: 'addContact', about: { contact: anna.id, kind: 'agent', dids: 2 } })
    const disk = await dumpDisk()
    for (const secret of ['Anna', 'Bern', 'annabot', ANNA, PRINTER]) expect(disk).not.toContain(secret)

    await vaults.closeAll()
    const after = await vaults.start({}, { clock })
    await expect(after.contacts.list()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await expect(after.contacts.save({ name: 'Bob' })).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await after.unlock(passkeyProof())
    expect(await after.contacts.list()).toEqual([anna])
  })

  it('is changed in part, and keeps fields unknown to this version', async () => {
    const { vault } = await alice()
    const { address = '' } = vault.getSnapshot()
    const service = {
      ...{ id: 'mail', name: 'Mail', kind: 'service', dids: [PRINTER], createdAt: 1, updatedAt: 1 },
      ...{ address: 'https://mail.example', offers: ['/msg/send'] },
    }
    const [sealed = ''] = await sealTexts(clientOf(vault).enclave, [
      { context: 'metadata:contact:mail', text: JSON.stringify(service) },
    ])
    const key = 'contact:mail'
    await rawPut(address, 'metadata', { id: key, key, accountAddress: address, updatedAt: 1, sealed })
    expect(await vault.contacts.list()).toEqual([service])
    const { updatedAt, ...renamed } = await vault.contacts.rename('mail', 'Post')
    expect(updatedAt).toBeGreaterThan(1)
    expect({ ...renamed, updatedAt: 1 }).toEqual({ ...service, name: 'Post' })
    expect(await vault.contacts.addDid('mail', BOB)).toMatchObject({ name: 'Post', dids: [PRINTER, BOB] })
    expect(await vault.contacts.removeDid('mail', PRINTER)).toMatchObject({ dids: [BOB] })
    expect(await vault.contacts.save({ id: 'mail', note: 'ours' })).toMatchObject({
      name: 'Post',
      note: 'ours',
    })
    const bare = await vault.contacts.save({ id: 'mail', note: '', dids: [] })
    expect(bare).toMatchObject({ dids: [], address: 'https://mail.example', offers: ['/msg/send'] })
    expect(bare).not.toHaveProperty('note')
  })

  it('is in the same list until something changes, and only changed contacts are opened again', async () => {
    const { vault } = await alice()
    const { address = '' } = vault.getSnapshot()
    const { enclave } = clientOf(vault)
    const many = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ id: `c${at}`, name: `Contact ${at}`, kind: 'person', dids: [`did:key:zC${at}`] },
      ...{ createdAt: at, updatedAt: at },
    }))
    const sealed = await sealTexts(
      enclave,
      many.map((each) => ({ context: `metadata:contact:${each.id}`, text: JSON.stringify(each) })),
    )
    const metadata = many.map(({ id, updatedAt }, at) => ({
      ...{ id: `contact:${id}`, key: `contact:${id}`, accountAddress: address },
      ...{ updatedAt, sealed: sealed[at] ?? '' },
    }))
    await clientOf(vault).storage.writeBatch({ metadata })
    const list = await vault.contacts.list()
    expect(list).toEqual(many)
    const calls = vi.spyOn(enclave, 'callByName')
    const openedBy = () =>
      calls.mock.calls
        .filter(([name]) => name === 'open_records')
        .reduce((sum, [, input]) => sum + (input as { records: unknown[] }).records.length, 0)
    expect(await vault.contacts.list()).toBe(list)
    expect(openedBy()).toBe(0)
    await vault.contacts.rename('c5000', 'Somebody else')
    const next = await vault.contacts.list()
    expect(next).toHaveLength(10_000)
    expect(next[5000]).toMatchObject({ name: 'Somebody else' })
    expect(openedBy()).toBe(1)
  })

  it('is forgotten by a lock', async () => {
    const { vault } = await alice()
    await vault.contacts.save({ name: 'Anna' })
    await vault.lock()
    await expect(vault.contacts.list()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(passkeyProof())
    const opened = vi.spyOn(clientOf(vault).enclave, 'callByName')
    expect(await vault.contacts.list()).toMatchObject([{ name: 'Anna' }])
    expect(opened.mock.calls.map(([name]) => name)).toContain('open_records')
  })

  it('that cannot be read is reported once, and left as it is', async () => {
    const { vault } = await alice()
    const { address = '' } = vault.getSnapshot()
    const anna = await vault.contacts.save({ name: 'Anna' })
    const errors: string[] = []
    vault.on('vault:error', ({ operation }) => errors.push(operation))
    const spoilt = { accountAddress: address, updatedAt: 1, sealed: 'm1.nothing' }
    await rawPut(address, 'metadata', { ...spoilt, id: 'contact:x', key: 'contact:x' })
    // Another contact's record under the wrong id.
    const [{ sealed } = { sealed: '' }] = await contactRecords(vault)
    await rawPut(address, 'metadata', { ...spoilt, sealed, id: 'contact:y', key: 'contact:y' })
    expect(await vault.contacts.list()).toEqual([anna])
    await vault.contacts.rename(anna.id, 'Anne')
    expect(await vault.contacts.list()).toMatchObject([{ name: 'Anne' }])
    expect(errors).toEqual(['read', 'read'])
    expect((await contactRecords(vault)).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['contact:x', 'contact:y']),
    )
  })

  it('is kept for the page without persistence', async () => {
    const vault = await vaults.start({ enablePersistence: false })
    await vault.create(openedByPasskey())
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    await vault.lock()
    await vault.unlock(passkeyProof())
    expect(await vault.contacts.list()).toEqual([anna])
    await vault.create(openedByPasskey())
    expect(await vault.contacts.list()).toEqual([])
  })
})

describe('a refusal changes nothing', () => {
  it.each<[string, string, (vault: KeyVault, id: string) => Promise<unknown>]>([
    ['an empty name', 'ContactNameRequired', (vault) => vault.contacts.save({ name: '\u200b' })],
    ['a missing name', 'ContactNameRequired', (vault) => vault.contacts.save({ dids: [BOB] })],
    [
      'a name that is too long',
      'ContactNameTooLong',
      (vault) => vault.contacts.save({ name: 'x'.repeat(10_000) }),
    ],
    ['a DID as a name', 'ContactNameIsDid', (vault, id) => vault.contacts.rename(id, BOB)],
    ['an invalid DID', 'ContactDidInvalid', (vault, id) => vault.contacts.addDid(id, 'bob')],
    [
      'another contact’s DID',
      'ContactDidTaken',
      (vault) => vault.contacts.save({ name: 'Eve', dids: [ANNA] }),
    ],
    [
      'the account’s own DID',
      'ContactDidOwn',
      (vault, id) => vault.contacts.addDid(id, vault.getSnapshot().issuerDid ?? ''),
    ],
    ['nobody', 'ContactUnknown', (vault) => vault.contacts.rename('nobody', 'Eve')],
    ['an unknown contact to merge', 'ContactUnknown', (vault, id) => vault.contacts.merge(id, ['nobody'])],
    ['an unknown contact to remove', 'ContactUnknown', (vault) => vault.contacts.remove('nobody')],
    ['nothing to restore', 'ContactNotRestorable', (vault, id) => vault.contacts.restore(id)],
  ])('%s: %s', async (_what, name, act) => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    const { revision } = vault.getSnapshot()
    await expect(act(vault, anna.id)).rejects.toMatchObject(refusal(name))
    expect(vault.getSnapshot().revision).toBe(revision)
    expect(await vault.contacts.list()).toEqual([anna])
  })

  it('a full disk', async () => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    const { revision } = vault.getSnapshot()
    const free = fillDisk('metadata')
    for (const act of [
      () => vault.contacts.save({ name: 'Bob' }),
      () => vault.contacts.rename(anna.id, 'Anne'),
      () => vault.contacts.remove(anna.id),
    ])
      await expect(act()).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(vault.getSnapshot().revision).toBe(revision)
    expect(await vault.contacts.list()).toEqual([anna])
    await expect(vault.contacts.restore(anna.id)).rejects.toMatchObject(refusal('ContactNotRestorable'))
  })

  it('if two contacts claim a DID at once, the second is refused', async () => {
    const { vault } = await alice()
    const [one, other] = await Promise.allSettled([
      vault.contacts.save({ name: 'Anna', dids: [ANNA] }),
      vault.contacts.save({ name: 'Eve', dids: [ANNA] }),
    ])
    expect(one.status).toBe('fulfilled')
    expect(other).toMatchObject({ status: 'rejected', reason: refusal('ContactDidTaken') })
    expect(await vault.contacts.list()).toMatchObject([{ name: 'Anna' }])
  })
})

describe('removing and merging', () => {
  it('a removed contact is gone and its DIDs are free, and it can be restored', async () => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA, BOB], note: 'met in Bern' })
    await vault.contacts.remove(anna.id)
    expect(await vault.contacts.list()).toEqual([])
    expect(await lastLine(vault)).toMatchObject({ act: 'removeContact', about: { contact: anna.id } })
    const bob = await vault.contacts.save({ name: 'Bob', dids: [BOB] })
    await vault.contacts.restore(anna.id)
    // A DID that another contact got in the meantime stays there.
    const [{ updatedAt: _, ...back } = { updatedAt: 0 }] = await vault.contacts.list()
    const { updatedAt: __, ...was } = anna
    expect(back).toEqual({ ...was, dids: [ANNA] })
    expect(await vault.contacts.find(BOB)).toEqual(bob)
    await expect(vault.contacts.restore(anna.id)).rejects.toMatchObject(refusal('ContactNotRestorable'))
  })

  it('can be undone after a lock, but not by another account', async () => {
    const { vault } = await alice()
    const { address = '' } = vault.getSnapshot()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    await vault.contacts.remove(anna.id)
    await vault.create(openedByPasskey())
    await expect(vault.contacts.restore(anna.id)).rejects.toMatchObject(refusal('ContactNotRestorable'))
    await vault.accounts.open(address)
    await expect(vault.contacts.restore(anna.id)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(passkeyProof())
    await vault.contacts.restore(anna.id)
    expect(await vault.contacts.list()).toMatchObject([{ name: 'Anna', dids: [ANNA] }])
  })

  it('several contacts become one with all DIDs and notes, and separate again', async () => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA], note: 'met in Bern' })
    const laptop = await vault.contacts.save({ name: 'Laptop', kind: 'device', dids: [BOB], note: 'blue' })
    const site = await vault.contacts.save({ name: 'Site', dids: [PRINTER] })
    const merged = await vault.contacts.merge(anna.id, [laptop.id, site.id, anna.id, laptop.id])
    expect(merged).toMatchObject({ id: anna.id, name: 'Anna', kind: 'person', note: 'met in Bern\nblue' })
    expect(merged.dids).toEqual([ANNA, BOB, PRINTER])
    expect(await vault.contacts.list()).toEqual([merged])
    expect(await lastLine(vault)).toMatchObject({
      act: 'mergeContacts',
      about: { contact: anna.id, merged: 2 },
    })
    await vault.contacts.restore(anna.id)
    const names = (await vault.contacts.list()).map(({ name, dids, note }) => [name, dids, note])
    expect(names).toEqual([
      ['Anna', [ANNA], 'met in Bern'],
      ['Laptop', [BOB], 'blue'],
      ['Site', [PRINTER], undefined],
    ])
  })

  it('cannot be undone after a later change', async () => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    const site = await vault.contacts.save({ name: 'Site', dids: [PRINTER] })
    await vault.contacts.merge(anna.id, [site.id])
    await vault.contacts.rename(anna.id, 'Anne')
    await expect(vault.contacts.restore(anna.id)).rejects.toMatchObject(refusal('ContactNotRestorable'))
    expect(await vault.contacts.list()).toMatchObject([{ name: 'Anne', dids: [ANNA, PRINTER] }])
  })

  it('merges nothing if there are too many DIDs for one contact', async () => {
    const { vault } = await alice()
    const dids = (of: string) => Array.from({ length: 20 }, (_, at) => `did:key:z${of}${at}`)
    const one = await vault.contacts.save({ name: 'One', dids: dids('A') })
    const other = await vault.contacts.save({ name: 'Other', dids: dids('B') })
    await expect(vault.contacts.merge(one.id, [other.id])).rejects.toMatchObject(
      refusal('ContactDidsTooMany'),
    )
    expect(await vault.contacts.list()).toEqual([one, other])
  })

  it('keeps grants', async () => {
    const { vault } = await alice()
    const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
    await vault.tokens.grant({ audience_did: ANNA, command: '/msg/send' })
    await vault.contacts.remove(anna.id)
    expect(await vault.tokens.list()).toMatchObject([{ audienceDid: ANNA }])
  })
})

describe('two tabs of one account', () => {
  it("see each other's changes", async () => {
    const { vault: here, clock } = await alice()
    const there = await vaults.start({}, { clock })
    await there.unlock(passkeyProof())
    expect(await there.contacts.list()).toEqual([])
    const heard = new Promise<boolean | undefined>((resolve) => {
      there.on('vault:changed', ({ change, remote }) => change === 'contacts' && resolve(remote))
    })
    const anna = await here.contacts.save({ name: 'Anna', dids: [ANNA] })
    expect(await heard).toBe(true)
    expect(await there.contacts.list()).toEqual([anna])
    await expect(there.contacts.save({ name: 'Eve', dids: [ANNA] })).rejects.toMatchObject(
      refusal('ContactDidTaken'),
    )
    await there.contacts.remove(anna.id)
    expect(await here.contacts.list()).toEqual([])
  })
})

it('a clock that was set back makes no change older', async () => {
  const { vault, clock } = await alice()
  const anna = await vault.contacts.save({ name: 'Anna', dids: [ANNA] })
  clock.set(clock.now() - 86_400_000)
  const renamed = await vault.contacts.rename(anna.id, 'Anne')
  expect(renamed.updatedAt).toBeGreaterThan(anna.updatedAt)
  await vault.contacts.remove(anna.id)
  await vault.contacts.restore(anna.id)
  expect((await vault.contacts.get(anna.id))?.updatedAt).toBeGreaterThan(renamed.updatedAt)
})
