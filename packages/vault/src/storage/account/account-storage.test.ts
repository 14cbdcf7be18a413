import { describe, expect, it, vi } from 'vitest'
import { fillDisk, freshBrowser, rawAll, rawDatabase, rawPut, settled } from '../../test/browser.ts'
import { FakeDisk } from '../../test/opfs.ts'
import type { TokenRecord } from '../schema.ts'
import { deleteDatabase, listDatabases, readStoredState } from './account-databases.ts'
import { AccountStorage } from './account-storage.ts'
import type { UnreadableRecord } from './storage-listener.ts'

freshBrowser()

const sealed = (revision: number) => JSON.stringify({ format: 'seal-v1', revision })

function token(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  const issuer = 'did:key:zA'
  return { id, token: `C${id}`, type: 'origin', issuer, audience: 'kh1b', createdAt: 1, ...fields }
}

async function opened<T>(work: (storage: AccountStorage) => Promise<T>, address = 'kh1a'): Promise<T> {
  const storage = await AccountStorage.open(address)
  try {
    return await work(storage)
  } finally {
    storage.close()
  }
}

describe('an account database', () => {
  it('is named by the address and has the four stores with their indexes, at schema version 1', async () => {
    await opened(async () => undefined)
    await rawDatabase('kh1a', async (db) => {
      // Dexie counts in tenths, to leave room for fixes between two versions.
      expect(db.version).toBe(10)
      const indexes = [...db.objectStoreNames].map((name) => {
        const store = db.transaction(name).objectStore(name)
        return [name, store.keyPath, ...[...store.indexNames].sort()]
      })
      expect(indexes).toEqual([
        ['metadata', 'id', 'accountAddress', 'key', 'updatedAt'],
        ['sessions', 'id', 'accountAddress', 'createdAt', 'expiresAt'],
        ['state', 'id', 'accountAddress', 'lastAccessed'],
        ['tokens', 'id', 'audience', 'createdAt', 'expiresAt', 'issuer', 'type'],
      ])
    })
    expect(await listDatabases()).toEqual(['kh1a'])
  })

  it.each(['', '  '])('needs an address (%j)', async (address) => {
    await expect(AccountStorage.open(address)).rejects.toMatchObject({
      message: 'Account address is required',
    })
    expect(await indexedDB.databases()).toEqual([])
  })

  it('asks for strict durability', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await opened((storage) => storage.writeState(sealed(1), 5))
    expect(
      transaction.mock.calls.some(
        ([, mode, options]) => mode === 'readwrite' && options?.durability === 'strict',
      ),
    ).toBe(true)
  })

  it('reports a missing IndexedDB', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no storage here', 'InvalidStateError')
    })
    await expect(AccountStorage.open('kh1a')).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { name: 'StorageFailed', args: { what: 'opening the account' } },
    })
  })

  it('with a newer schema is refused and left alone', async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('vault_kh1a', 90)
      request.onupgradeneeded = () => request.result.createObjectStore('later')
      request.onsuccess = () => resolve(request.result)
    })
    db.close()
    await expect(AccountStorage.open('kh1a')).rejects.toMatchObject({ details: { name: 'NewerSchema' } })
    const [now] = await indexedDB.databases()
    expect(now?.version).toBe(90)
  })
})

describe('the state record', () => {
  it('has the id "current", the sealed state and its times', async () => {
    await opened(async (storage) => {
      await storage.writeState(sealed(1), 100)
      await storage.writeState(sealed(2), 200)
    })
    expect(await rawAll('kh1a', 'state')).toEqual([
      {
        id: 'current',
        accountAddress: 'kh1a',
        isInitialized: true,
        enclave: sealed(2),
        lastAccessed: 200,
        createdAt: 100,
      },
    ])
  })

  it('keeps the higher of two revisions', async () => {
    await opened(async (storage) => {
      await storage.writeState(sealed(7), 100)
      await expect(storage.writeState(sealed(6), 200, { tokens: [token('t')] })).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
        details: { conflict: true },
      })
      expect((await storage.readState())?.enclave).toBe(sealed(7))
      expect(await storage.readTokens()).toEqual([])
    })
  })

  it('loses nothing when two write at once', async () => {
    const [one, two] = await Promise.all([AccountStorage.open('kh1a'), AccountStorage.open('kh1a')])
    const written = await Promise.allSettled(
      [3, 9, 1, 7, 5].map((revision, index) =>
        (index % 2 ? one : two).writeState(sealed(revision), revision),
      ),
    )
    expect((await one.readState())?.enclave).toBe(sealed(9))
    expect(written[1]?.status).toBe('fulfilled')
    one.close()
    two.close()
  })

  it('is not written without a revision', async () => {
    await opened(async (storage) => {
      await storage.writeState(sealed(1), 100)
      await expect(storage.writeState('{}', 200)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
      await expect(storage.writeState('no JSON', 200)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
      expect((await storage.readState())?.enclave).toBe(sealed(1))
    })
  })

  it('is neither read nor overwritten if it does not parse', async () => {
    await opened(async () => undefined)
    const damaged = { id: 'current', accountAddress: 'kh1a', enclave: 7 }
    await rawPut('kh1a', 'state', damaged)
    await opened(async (storage) => {
      await expect(storage.readState()).rejects.toMatchObject({ details: { store: 'state', id: 'current' } })
      await expect(storage.writeState(sealed(9), 1)).rejects.toMatchObject({
        details: { name: 'AccountStateUnreadable' },
      })
    })
    expect(await rawAll('kh1a', 'state')).toEqual([damaged])
  })
})

describe('a full disk', () => {
  it('is reported and changes nothing', async () => {
    await opened(async (storage) => {
      await storage.writeState(sealed(1), 100, { tokens: [token('before')] })
      const free = fillDisk('tokens')
      await expect(storage.writeState(sealed(2), 200, { tokens: [token('after')] })).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
        details: { name: 'StorageFull', quota: true },
      })
      await expect(storage.addToken(token('alone'))).rejects.toMatchObject({ details: { quota: true } })
      free()
      expect((await storage.readState())?.enclave).toBe(sealed(1))
      expect((await storage.readTokens()).map(({ id }) => id)).toEqual(['before'])
    })
  })
})

describe('tokens', () => {
  it('are read newest first, with every further field', async () => {
    const full = token('b', { createdAt: 2, cid: 'bafyb', policy: [['==', '.a', 2n ** 60n]], subject: null })
    await opened(async (storage) => {
      await storage.addToken(token('a'))
      await storage.addToken(full)
      expect(await storage.readTokens()).toEqual([full, token('a')])
    })
  })

  it('are stored once per CID', async () => {
    await opened(async (storage) => {
      await storage.addToken(token('a', { cid: 'bafy1' }))
      expect(await storage.addToken(token('b', { cid: 'bafy1' }))).toMatchObject({ id: 'a' })
      await storage.addToken(token('c', { cid: 'bafy2' }))
      expect((await storage.readTokens()).map(({ id }) => id).sort()).toEqual(['a', 'c'])
    })
  })

  it('that do not parse are kept, reported once and skipped', async () => {
    const reports: UnreadableRecord[] = []
    const storage = await AccountStorage.open('kh1a', { unreadable: (record) => reports.push(record) })
    await storage.addToken(token('good'))
    const bad = { id: 'bad', token: 5, createdAt: 3 }
    await rawPut('kh1a', 'tokens', bad)
    for (const _ of [1, 2]) expect((await storage.readTokens()).map(({ id }) => id)).toEqual(['good'])
    expect(reports).toEqual([{ store: 'tokens', id: 'bad', reason: expect.any(String) }])
    storage.close()
    expect(await rawAll('kh1a', 'tokens')).toContainEqual(bad)
  })
})

describe('clean-up', () => {
  async function expire(storage: AccountStorage, now: number): Promise<number> {
    const expiry = await storage.readExpired(now)
    await storage.writeBatch(storage.expiryBatch(expiry))
    return expiry.tokens.length + expiry.sessions.length
  }

  it('deletes the tokens and sessions whose expiresAt is in the past, and nothing else', async () => {
    const session = (id: string, expiresAt: number) => ({
      id,
      accountAddress: 'kh1a',
      expiresAt,
      createdAt: 1,
    })
    const unreadable = { id: 'unreadable', expiresAt: 5 }
    await opened(async (storage) => {
      await storage.writeState(sealed(1), 1, {
        tokens: [token('past', { expiresAt: 99 }), token('now', { expiresAt: 100 }), token('never')],
        sessions: [session('gone', 1), session('live', 101)],
        metadata: [{ id: 'note', accountAddress: 'kh1a', key: 'note', updatedAt: 1, sealed: 'x' }],
      })
      await rawPut('kh1a', 'tokens', unreadable)
      expect(await expire(storage, 100)).toBe(2)
      expect((await storage.readTokens()).map(({ id }) => id).sort()).toEqual(['never', 'now'])
      expect((await storage.readSessions()).map(({ id }) => id)).toEqual(['live'])
      expect((await storage.readMetadata()).map(({ key }) => key)).toEqual([
        'ended:sessions:gone',
        'ended:tokens:past',
        'note',
      ])
    })
    expect(await rawAll('kh1a', 'tokens')).toContainEqual(unreadable)
  })

  it('deletes more than one chunk', async () => {
    await opened(async (storage) => {
      const tokens = Array.from({ length: 450 }, (_, index) => token(`t${index}`, { expiresAt: index }))
      await storage.writeState(sealed(1), 1, { tokens })
      expect(await expire(storage, 449)).toBe(449)
      expect((await storage.readTokens()).map(({ id }) => id)).toEqual(['t449'])
    })
  })
})

describe('deleting a database', () => {
  it('closes it in a tab that has it open, and tells that tab', async () => {
    const warn = vi.spyOn(console, 'warn')
    const released = vi.fn()
    const storage = await AccountStorage.open('kh1a', { released })
    await deleteDatabase('kh1a')
    expect(released).toHaveBeenCalledExactlyOnceWith('deleted')
    expect(await listDatabases()).toEqual([])
    await expect(storage.readTokens()).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(await listDatabases()).toEqual([])
    expect(warn).not.toHaveBeenCalled()
  })

  it('leaves nothing in it for older code that holds it open', async () => {
    await opened((storage) => storage.writeState(sealed(1), 1, { tokens: [token('a')] }))
    const db = await settled(indexedDB.open('vault_kh1a'))
    await deleteDatabase('kh1a')
    expect(await settled(db.transaction('state').objectStore('state').getAll())).toEqual([])
    expect(await settled(db.transaction('tokens').objectStore('tokens').getAll())).toEqual([])
    db.close()
    await vi.waitFor(async () => expect(await listDatabases()).toEqual([]))
  })
})

it('never blocks an upgrade by another tab', async () => {
  new FakeDisk().install()
  const released = vi.fn()
  const tabs = await Promise.all([1, 2, 3].map(() => AccountStorage.open('kh1a', { released })))
  await Promise.all(tabs.map((storage) => storage.startMirror()))
  // One tab is in the middle of a change, and one reads stored data without opening the account.
  const saving = tabs[0]?.addToken(token('t'))
  const looking = readStoredState('kh1a')
  const blocked = vi.fn()
  const upgraded = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('vault_kh1a', 20)
    request.onblocked = blocked
    request.onerror = () => reject(request.error)
    request.onsuccess = () => resolve(request.result)
  })
  upgraded.close()
  expect(blocked).not.toHaveBeenCalled()
  expect(released.mock.calls).toEqual([['upgraded'], ['upgraded'], ['upgraded']])
  await Promise.allSettled([saving, looking])
  await expect(tabs[1]?.readTokens()).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
})

it('lists only databases of accounts', async () => {
  await opened(async () => undefined, 'kh1b')
  await opened(async () => undefined, 'kh1a')
  await new Promise((resolve) => {
    const request = indexedDB.open('something_else')
    request.onsuccess = () => {
      request.result.close()
      resolve(undefined)
    }
  })
  expect(await listDatabases()).toEqual(['kh1a', 'kh1b'])
})
