import { describe, expect, it, vi } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { listDatabases } from '../storage/account/account-databases.ts'
import { AccountStorage } from '../storage/account/account-storage.ts'
import { fillDisk, freshBrowser, rawAll, rawDatabase, rawPut, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import { BOB } from '../test/people.ts'

freshBrowser()
const PASSPHRASE = 'correct horse battery'
const FILE = 'the passphrase of the file'
const GRANT = { audience_did: BOB, command: '/msg/send' }

const vaults = new OpenVaults()

async function started(world = new EnclaveWorld()): Promise<KeyVault> {
  return await vaults.start({}, world)
}

/** A person with an account and three grants, and optionally a backup of the first two. */
async function alice({ backsUp = false } = {}) {
  const disk = new FakeDisk()
  disk.install()
  const vault = await started()
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  const tokens = [await vault.tokens.grant({ ...GRANT, label: 'one' }), await vault.tokens.grant(GRANT)]
  const request = { proof: passkeyProof(), exportPassphrase: FILE }
  const { text } = backsUp ? await vault.exportVault(request) : { text: '' }
  tokens.push(await vault.tokens.grant({ ...GRANT, label: 'three' }))
  await vault.generateKey({ label: 'Phone' })
  const { keys } = vault.getSnapshot()
  await clientOf(vault).openStorage?.mirrored()
  return {
    disk,
    vault,
    address,
    text,
    first: tokens[0]?.id ?? '',
    ids: tokens.map(({ id }) => id).sort(),
    keys,
  }
}

/** Simulates corruption: every database is gone at once, and everything outside IndexedDB remains. */
async function corrupted(): Promise<void> {
  await vaults.closeAll()
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
}

const idsOf = async (vault: KeyVault) => (await vault.tokens.list()).map(({ id }) => id).sort()
const path = (address: string, name: string) => `keyhole/${address}/${name}`

describe('an account whose database is gone', () => {
  it('is found lost before anything is opened, and no database is created for it', async () => {
    const { address } = await alice()
    await corrupted()
    const next = await started()
    expect(next.getSnapshot()).toMatchObject({
      phase: 'empty',
      accounts: [],
      lost: [{ address, createdAt: expect.any(Number), mirror: 'whole', tokens: 3 }],
      error: { code: 'OPERATION_FAILED' },
    })
    await expect(next.accounts.open(address)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    await expect(next.client.switchAccount(address)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await indexedDB.databases()).toEqual([])
  })

  it('is restored completely from its mirror', async () => {
    const { address, ids, keys } = await alice()
    await corrupted()
    const next = await started()
    const progress: number[] = []
    const restored = await next.accounts.restoreLost(address, {
      onProgress: (done, total) => progress.push(done, total),
    })
    expect(restored).toEqual({ tokens: 3, unreadable: 0 })
    expect(progress.at(-1)).toBe(progress.at(-2))
    expect(next.getSnapshot()).toMatchObject({ phase: 'locked', address, lost: [] })
    await next.unlock(passkeyProof())
    expect(await idsOf(next)).toEqual(ids)
    expect((await next.tokens.list()).map(({ label }) => label)).toContain('three')
    expect(next.getSnapshot().keys.map(({ key_id }) => key_id)).toEqual(keys.map(({ key_id }) => key_id))
    await clientOf(next).openStorage?.mirrored()
    expect(await next.accounts.storageHealth()).toMatchObject({ persisted: false, mirror: 'whole' })
    expect((await next.activity.read()).missing).toEqual([])
  })

  it('is restored at the time of the clock', async () => {
    const { address } = await alice()
    await corrupted()
    const clock = new TestClock()
    clock.set(Date.UTC(2031, 4, 6))
    const next = await vaults.start({}, { clock })
    await next.accounts.restoreLost(address)
    expect(await next.client.loadPersistedState()).toMatchObject({ lastAccessed: clock.now() })
  })

  it('is restored without the leftovers of a killed import', async () => {
    const { vault, address, ids } = await alice()
    const [token] = await vault.client.getPersistedTokens()
    await corrupted()
    const next = await started()
    const filled = await AccountStorage.open(address)
    await filled.beginFilling()
    await filled.writeBatch({ tokens: [{ ...Object(token), id: 'left', cid: 'bafyleft' }] })
    filled.close()
    await next.accounts.restoreLost(address)
    expect(await idsOf(next)).toEqual(ids)
  })

  it.each([
    [
      'the canary',
      async (address: string) => localStorage.setItem('keyhole:accounts', JSON.stringify([{ address }])),
    ],
    ['the mirror', async () => localStorage.removeItem('keyhole:accounts')],
  ])('is known from %s alone', async (which, arrange) => {
    const { disk, address } = await alice()
    await corrupted()
    if (which === 'the canary') for (const file of disk.files().keys()) disk.delete(file)
    await arrange(address)
    const next = await started()
    expect(next.getSnapshot().lost).toMatchObject([
      { address, mirror: which === 'the canary' ? 'none' : 'whole' },
    ])
    if (which === 'the canary') {
      await expect(next.accounts.restoreLost(address)).rejects.toMatchObject({
        details: { name: 'CopyWithoutKeys' },
      })
      expect(await indexedDB.databases()).toEqual([])
    }
  })

  it('is found, and others can be made, even if its mirror cannot be read now', async () => {
    const { disk, address, ids } = await alice()
    await corrupted()
    localStorage.removeItem('keyhole:accounts')
    disk.before = (step) => {
      if (step.startsWith(`read keyhole/${address}/`)) throw new Error('the file system fails')
    }
    const next = await started()
    expect(next.getSnapshot()).toMatchObject({ phase: 'empty', lost: [{ address, mirror: 'none' }] })
    await expect(next.accounts.restoreLost(address)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    await next.create(openedByPasskey())
    disk.before = undefined
    await next.accounts.restoreLost(address)
    await next.accounts.open(address)
    expect(await idsOf(next)).toEqual(ids)
  })

  it.each(['throws', 'hangs'])('is found even if databases() %s', async (how) => {
    const { address } = await alice()
    await corrupted()
    if (how === 'hangs') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(indexedDB, 'databases').mockImplementation(() => {
      if (how === 'throws') return Promise.reject(new DOMException('Internal error.', 'UnknownError'))
      return new Promise(() => undefined)
    })
    const starting = vaults.start()
    const hurry = setInterval(() => vi.isFakeTimers() && vi.advanceTimersByTime(1000), 5)
    const vault = await starting.finally(() => clearInterval(hurry))
    expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', lost: [{ address, mirror: 'whole' }] })
    expect(vault.getSnapshot().lost[0]).not.toHaveProperty('noAnswer')
    if (how === 'hangs') return
    expect(await vault.accounts.restoreLost(address)).toEqual({ tokens: 3, unreadable: 0 })
    expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address, lost: [] })
  })

  it('is told apart from one whose database does not answer, which may be whole', async () => {
    const { address } = await alice()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opened = vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest)
    const hurry = setInterval(() => vi.advanceTimersByTime(1000), 5)
    const vault = await vaults.start().finally(() => clearInterval(hurry))
    expect(opened).toHaveBeenCalled()
    expect(vault.getSnapshot().lost).toMatchObject([{ address, mirror: 'whole', noAnswer: true }])
    vi.useRealTimers()
    opened.mockRestore()
    const [lost] = (await started()).getSnapshot().lost
    expect(lost).toBeUndefined()
  })

  it('is restored as far as a damaged mirror can be read, and the rest is counted', async () => {
    const { disk, address } = await alice()
    await corrupted()
    const segments = [...disk.files().keys()].filter((name) => name.endsWith('.segment'))
    disk.damage(segments.at(-1) ?? '', (bytes) => bytes.map((byte, at) => (at > 180 ? byte ^ 255 : byte)))
    const next = await started()
    expect(next.getSnapshot().lost).toMatchObject([{ address, mirror: 'partial' }])
    const { unreadable } = await next.accounts.restoreLost(address)
    expect(unreadable).toBeGreaterThan(0)
    expect(next.getSnapshot()).toMatchObject({ phase: 'locked', lost: [] })
  })

  it('is not written at all if the mirrored state is damaged or invalid', async () => {
    const { disk, address } = await alice()
    await corrupted()
    const world = new EnclaveWorld()
    const next = await started(world)
    world.plan('open_vault', () => ({ error: 'the record is damaged', code: 'OPERATION_FAILED' }))
    await expect(next.accounts.restoreLost(address)).rejects.toThrow('the record is damaged')
    for (const name of ['state.json', 'previous.json']) {
      disk.damage(path(address, name), (bytes) => bytes.map((byte, at) => (at === 90 ? byte ^ 1 : byte)))
    }
    await expect(next.accounts.restoreLost(address)).rejects.toMatchObject({
      details: { name: 'CopyWithoutKeys' },
    })
    expect(await indexedDB.databases()).toEqual([])
    expect(next.getSnapshot().phase).toBe('empty')
  })

  it('is restored from the previous mirrored state if the last one is damaged', async () => {
    const { disk, address, ids } = await alice()
    await corrupted()
    disk.damage(path(address, 'state.json'), (bytes) => bytes.slice(0, 200))
    const next = await started()
    expect(next.getSnapshot().lost).toMatchObject([{ address, mirror: 'whole' }])
    await next.accounts.restoreLost(address)
    await next.unlock(passkeyProof())
    expect(await idsOf(next)).toEqual(ids)
    // The last change, the second key, is missing.
    expect(next.getSnapshot().keys).toHaveLength(1)
  })

  it('stays lost if restoring is aborted, or fails because the disk is full', async () => {
    const { address, ids } = await alice()
    await corrupted()
    const next = await started()
    const ending = new AbortController()
    const ended = next.accounts.restoreLost(address, {
      signal: ending.signal,
      onProgress: () => ending.abort(new Error('enough')),
    })
    await expect(ended).rejects.toThrow('enough')
    expect(await listDatabases()).toEqual([])
    const free = fillDisk('tokens')
    await expect(next.accounts.restoreLost(address)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(await listDatabases()).toEqual([])
    await next.accounts.restoreLost(address)
    expect(await idsOf(next)).toEqual(ids)
  })

  it('is restored from a backup, merged with what else the mirror has', async () => {
    const { disk, address, text, ids } = await alice({ backsUp: true })
    await corrupted()
    const next = await started()
    await next.importVault({ text, exportPassphrase: FILE, passphrase: 'another horse battery' })
    expect(next.getSnapshot()).toMatchObject({ phase: 'unlocked', address, lost: [] })
    expect(await idsOf(next)).toEqual(ids)
    // The newer state of the mirror is kept, and the restored one is used from now on.
    expect([...disk.files().keys()]).toContain(path(address, 'replaced.json'))
    await vaults.closeAll()
    const again = await started()
    await again.unlock('another horse battery')
    expect(await idsOf(again)).toEqual(ids)
  })

  it('is restored from a backup even if the mirror cannot be written yet, and no older secret returns', async () => {
    const { disk, vault, address, text, ids } = await alice({ backsUp: true })
    for (let n = 0; n < 10; n += 1) await vault.accounts.label(`Alice ${n}`)
    await corrupted()
    const next = await started()
    disk.before = (step) => {
      if (step.startsWith('begin')) throw new Error('the file system fails')
    }
    await next.importVault({ text, exportPassphrase: FILE, passphrase: 'another horse battery' })
    const { key_id } = await next.generateKey()
    disk.before = undefined
    await vaults.closeAll()
    const again = await started()
    await again.unlock('another horse battery')
    expect(again.getSnapshot().keys.map((key) => key.key_id)).toContain(key_id)
    await clientOf(again).openStorage?.mirrored()
    expect((await again.accounts.storageHealth()).mirror).toBe('whole')
    expect(await idsOf(again)).toEqual(ids)
    expect(await clientOf(again).openStorage?.isRestored()).toBe(false)
    expect([...disk.files().keys()]).toContain(path(address, 'replaced.json'))
  })

  it('stays lost if the backup cannot be stored, and its mirror does not change', async () => {
    const { address, text } = await alice({ backsUp: true })
    await corrupted()
    const next = await started()
    const free = fillDisk('state')
    await expect(
      next.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE }),
    ).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(next.getSnapshot()).toMatchObject({
      phase: 'empty',
      lost: [{ address, mirror: 'whole', tokens: 3 }],
    })
    expect(await next.accounts.restoreLost(address)).toEqual({ tokens: 3, unreadable: 0 })
  })

  it('is forgotten with everything left of it', async () => {
    const { disk, address } = await alice()
    await corrupted()
    const next = await started()
    await next.accounts.forgetLost(address)
    expect(next.getSnapshot()).toMatchObject({ phase: 'empty', lost: [], accounts: [] })
    expect([...disk.files()]).toEqual([])
    await vaults.closeAll()
    const again = await started()
    expect(again.getSnapshot()).toMatchObject({ phase: 'empty', lost: [] })
    expect(again.getSnapshot().error).toBeUndefined()
  })
})

describe('an account whose state is unreadable', () => {
  it.each([
    [
      'is gone',
      async (address: string) => {
        await rawDatabase(address, (db) =>
          settled(db.transaction('state', 'readwrite').objectStore('state').delete('current')),
        )
      },
    ],
    ['does not parse', (address: string) => rawPut(address, 'state', { id: 'current', enclave: 5 })],
  ])('because it %s is lost, and is restored over the remains', async (_, spoil) => {
    const { address, ids } = await alice()
    await vaults.closeAll()
    await spoil(address)
    const extra = { ...((await rawAll(address, 'tokens'))[0] as object), id: 'extra', cid: 'bafyextra' }
    await rawPut(address, 'tokens', extra)
    const next = await started()
    expect(next.getSnapshot()).toMatchObject({ phase: 'empty', lost: [{ address, mirror: 'whole' }] })
    expect(await next.accounts.restoreLost(address)).toEqual({ tokens: 4, unreadable: 0 })
    expect(await idsOf(next)).toEqual([...ids, 'extra'].sort())
  })
})

describe('a database that came back', () => {
  it('is merged with the mirror, and neither side loses anything', async () => {
    const { address, ids, vault } = await alice()
    await vault.cleanup()
    const stored = await rawAll(address, 'state')
    const tokens = await rawAll(address, 'tokens')
    await corrupted()
    const next = await started()
    expect(next.getSnapshot().lost).toHaveLength(1)
    // Its earlier content, plus something that the mirror never had.
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(`vault_${address}`, 10)
      request.onupgradeneeded = () => {
        const tokenStore = request.result.createObjectStore('tokens', { keyPath: 'id' })
        for (const name of ['type', 'issuer', 'audience', 'expiresAt', 'createdAt'])
          tokenStore.createIndex(name, name)
        const state = request.result.createObjectStore('state', { keyPath: 'id' })
        for (const name of ['accountAddress', 'lastAccessed']) state.createIndex(name, name)
        const sessions = request.result.createObjectStore('sessions', { keyPath: 'id' })
        for (const name of ['accountAddress', 'expiresAt', 'createdAt']) sessions.createIndex(name, name)
        const metadata = request.result.createObjectStore('metadata', { keyPath: 'id' })
        for (const name of ['accountAddress', 'key', 'updatedAt']) metadata.createIndex(name, name)
      }
      request.onsuccess = () => resolve(request.result)
    })
    const work = db.transaction(['state', 'tokens'], 'readwrite')
    for (const record of stored) {
      if ((record as { id: string }).id === 'current') work.objectStore('state').put(record)
    }
    work.objectStore('tokens').put({ ...(tokens[0] as object), id: 'own', cid: 'bafyown' })
    await new Promise((resolve) => {
      work.oncomplete = resolve
    })
    db.close()
    expect(await next.accounts.restoreLost(address)).toEqual({ tokens: 4, unreadable: 0 })
    expect(await idsOf(next)).toEqual([...ids, 'own'].sort())
    await next.unlock(passkeyProof())
  })
})

describe('with two states', () => {
  /** The database goes back to an earlier state; the mirror has the newest. */
  async function behind() {
    const { vault, address, disk } = await alice()
    const current = async () => {
      const states = (await rawAll(address, 'state')) as { id: string; enclave: string }[]
      return states.find(({ id }) => id === 'current') ?? expect.fail('There is no state.')
    }
    const before = await current()
    await vault.generateKey({ label: 'Since then' })
    const { revision } = vault.getSnapshot()
    await clientOf(vault).openStorage?.mirrored()
    await vaults.closeAll()
    const { enclave } = await current()
    await rawPut(address, 'state', before)
    return { address, disk, enclave, older: before.enclave, revision }
  }

  it('the higher revision wins if the mirror has it', async () => {
    const { revision, enclave, address } = await behind()
    const next = await started()
    expect(next.getSnapshot()).toMatchObject({ phase: 'locked', revision })
    expect(await rawAll(address, 'state')).toContainEqual(expect.objectContaining({ id: 'current', enclave }))
  })

  it('a higher revision that the enclave finds invalid is set aside', async () => {
    const { older, address, disk } = await behind()
    const world = new EnclaveWorld()
    world.plan('open_vault', () => ({ error: 'the record is damaged', code: 'OPERATION_FAILED' }))
    const next = await started(world)
    expect(next.getSnapshot().phase).toBe('locked')
    expect(await rawAll(address, 'state')).toContainEqual(expect.objectContaining({ enclave: older }))
    await clientOf(next).openStorage?.mirrored()
    expect((await next.accounts.storageHealth()).mirror).toBe('whole')
    expect([...disk.files().keys()]).toContain(path(address, 'replaced.json'))
  })
})

describe('removing an account', () => {
  it('removes its mirror and its canary', async () => {
    const { disk, vault, address } = await alice()
    await vault.accounts.remove(address)
    expect([...disk.files()]).toEqual([])
    expect(localStorage.getItem('keyhole:accounts')).toBe('[]')
    await vaults.closeAll()
    expect((await started()).getSnapshot()).toMatchObject({ phase: 'empty', lost: [], accounts: [] })
  })

  it('changes nothing if its second copy cannot be deleted', async () => {
    const { disk, vault, address } = await alice()
    disk.before = (step) => {
      if (step === `remove keyhole/${address}`) throw new DOMException('busy', 'NoModificationAllowedError')
    }
    await expect(vault.accounts.remove(address)).rejects.toThrow()
    disk.before = undefined
    expect(vault.getSnapshot()).toMatchObject({ address, phase: 'unlocked' })
    expect(await vault.tokens.list()).toHaveLength(3)
    const { storage } = clientOf(vault)
    expect(await storage.readState()).toBeDefined()
    await storage.mirrored()
    expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'whole' })
    await vault.accounts.remove(address)
    expect([...disk.files()]).toEqual([])
  })

  it('does not make another tab think that it was lost', async () => {
    const { vault, address } = await alice()
    const other = await started()
    const seen: number[] = []
    other.subscribe(() => seen.push(other.getSnapshot().lost.length))
    await vault.accounts.remove(address)
    await vi.waitFor(() =>
      expect(other.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [], lost: [] }),
    )
    expect(Math.max(...seen)).toBe(0)
  })
})

it('with several accounts, those that remain can be opened', async () => {
  const { vault, address } = await alice()
  const { address: work } = await vault.create(openedByPasskey({ label: 'Work' }))
  await vaults.closeAll()
  await settled(indexedDB.deleteDatabase(`vault_${address}`))
  const next = await started()
  expect(next.getSnapshot()).toMatchObject({ phase: 'locked', address: work, lost: [{ address }] })
  await next.accounts.restoreLost(address)
  expect(next.getSnapshot()).toMatchObject({ phase: 'locked', address: work, lost: [] })
  expect(
    next
      .getSnapshot()
      .accounts.map((each) => each.address)
      .sort(),
  ).toEqual([address, work].sort())
})

it('a creation killed before its state was stored leaves nothing', async () => {
  new FakeDisk().install()
  await rawDatabase('kh1half', async () => undefined)
  const vault = await started()
  expect(vault.getSnapshot()).toMatchObject({ phase: 'empty', accounts: [], lost: [] })
  expect(await indexedDB.databases()).toEqual([])
})

it('an import that does not fit changes neither side', async () => {
  const { vault, address, text, first, ids } = await alice({ backsUp: true })
  const token = await vault.tokens.grant(GRANT)
  await vault.tokens.remove(first)
  const before = await rawAll(address, 'state')
  const free = fillDisk('tokens')
  await expect(vault.importVault({ text, exportPassphrase: FILE })).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    details: { name: 'StorageFull', quota: true },
  })
  free()
  expect(await rawAll(address, 'state')).toEqual(before)
  expect(await idsOf(vault)).toEqual([...ids.filter((id) => id !== first), token.id].sort())
  expect((await vault.accounts.storageHealth()).mirror).toBe('whole')
  await corrupted()
  expect((await started()).getSnapshot().lost).toMatchObject([{ mirror: 'whole', tokens: 3 }])
})

describe('two tabs at the same time', () => {
  it('import the same backup: one succeeds, and the other does no damage', async () => {
    const { address, text, ids } = await alice({ backsUp: true })
    await corrupted()
    const [here, there] = [await started(), await started()]
    const request = { text, exportPassphrase: FILE, passphrase: PASSPHRASE }
    const results = await Promise.allSettled([here.importVault(request), there.importVault(request)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listDatabases()).toEqual([address])
    expect(await idsOf(results[0]?.status === 'fulfilled' ? here : there)).toEqual(ids)
  })

  it('restore the same account: aborting one does not affect the other', async () => {
    const { address, ids } = await alice()
    await corrupted()
    const [here, there] = [await started(), await started()]
    const ending = new AbortController()
    const ended = here.accounts.restoreLost(address, {
      signal: ending.signal,
      onProgress: () => ending.abort(new Error('enough')),
    })
    const restored = there.accounts.restoreLost(address)
    await Promise.allSettled([ended, restored])
    await expect(restored).resolves.toMatchObject({ tokens: 3 })
    expect(await idsOf(there)).toEqual(ids)
  })

  it('restore and remove the same account without a deadlock', async () => {
    const { address } = await alice()
    await corrupted()
    const [here, there] = [await started(), await started()]
    const done = await Promise.allSettled([
      here.accounts.restoreLost(address),
      there.accounts.remove(address),
    ])
    expect(done).toHaveLength(2)
  })

  it('restore the same account, one from a backup: what that says stays', async () => {
    const { vault, address, text, ids } = await alice({ backsUp: true })
    for (let n = 0; n < 10; n += 1) await vault.accounts.label(`Alice ${n}`)
    await clientOf(vault).openStorage?.mirrored()
    await corrupted()
    const [here, there] = [await started(), await started()]
    const start = clientOf(here).startEnclave.bind(clientOf(here))
    vi.spyOn(clientOf(here), 'startEnclave').mockImplementationOnce(async () => {
      await there.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
      return await start()
    })
    await here.accounts.restoreLost(address)
    const { key_id } = await there.generateKey()
    await clientOf(there).openStorage?.mirrored()
    await vaults.closeAll()
    const next = await started()
    await next.unlock(PASSPHRASE)
    expect(next.getSnapshot().keys.map((key) => key.key_id)).toContain(key_id)
    expect(await idsOf(next)).toEqual(ids)
  })

  it('an account forgotten just before it is restored stays gone, and does not return without its tokens', async () => {
    const { address } = await alice()
    await corrupted()
    const [here, there] = [await started(), await started()]
    const start = clientOf(here).startEnclave.bind(clientOf(here))
    vi.spyOn(clientOf(here), 'startEnclave').mockImplementationOnce(async () => {
      await there.accounts.forgetLost(address)
      return await start()
    })
    await expect(here.accounts.restoreLost(address)).rejects.toMatchObject({
      details: { name: 'CopyDeleted' },
    })
    expect(await listDatabases()).toEqual([])
    expect((await started()).getSnapshot()).toMatchObject({ accounts: [], lost: [] })
  })

  it('restore and forget the same account: what was restored stays', async () => {
    const { disk, address, ids } = await alice()
    await corrupted()
    const [here, there] = [await started(), await started()]
    const [restored, forgotten] = await Promise.allSettled([
      here.accounts.restoreLost(address),
      there.accounts.forgetLost(address),
    ])
    if (restored.status === 'rejected') {
      expect(forgotten.status).toBe('fulfilled')
      return
    }
    expect(forgotten.status).toBe('rejected')
    expect(await idsOf(here)).toEqual(ids)
    expect(disk.files().size).toBeGreaterThan(0)
  })
})

it('a forgotten account leaves no notes for its log', async () => {
  const { address, vault } = await alice()
  await vault.lock()
  await expect(vault.tokens.grant(GRANT)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  expect(localStorage.getItem(`keyhole:notes:${address}`)).toContain('grant')
  await corrupted()
  const next = await started()
  await next.accounts.forgetLost(address)
  expect(localStorage.getItem(`keyhole:notes:${address}`)).toBeNull()
})
