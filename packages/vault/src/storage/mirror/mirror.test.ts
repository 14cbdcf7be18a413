import { afterEach, describe, expect, it, vi } from 'vitest'
import { fillDisk, freshBrowser, rawAll, rawDatabase, rawPut, settled } from '../../test/browser.ts'
import { FakeDisk } from '../../test/opfs.ts'
import { AccountStorage } from '../account/account-storage.ts'
import { decodeValue } from '../journal/journal-value.ts'
import type { MetadataRecord, TokenRecord } from '../schema.ts'
import { AccountMirror } from './mirror.ts'
import type { MirrorReport } from './mirror-writer.ts'

freshBrowser()
const ADDRESS = 'kh1a'
const STATE = `keyhole/${ADDRESS}/state.json`
const sealed = (revision: number, seal = 'one') =>
  JSON.stringify({ format: 'seal-v1', revision, keys: [{ sealed: seal }] })

function token(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  const issuer = 'did:key:zA'
  return { id, token: `C${id}`, type: 'origin', issuer, audience: 'kh1b', createdAt: 1, ...fields }
}
function note(key: string, value: string, updatedAt = 1): MetadataRecord {
  return { id: key, accountAddress: ADDRESS, key, updatedAt, sealed: value }
}

const open: AccountStorage[] = []
afterEach(() => {
  for (const storage of open.splice(0)) storage.close()
})

/** A tab with the account open, in sync with its mirror. */
async function tab(reports: MirrorReport[] = []): Promise<AccountStorage> {
  const storage = await AccountStorage.open(ADDRESS, { reconciled: (report) => reports.push(report) })
  open.push(storage)
  await storage.startMirror()
  await storage.mirrored()
  return storage
}

async function account() {
  const disk = new FakeDisk()
  disk.install()
  const storage = await AccountStorage.open(ADDRESS)
  await storage.writeState(sealed(1), 100)
  storage.close()
  return { disk, storage: await tab() }
}

/** The mirror's contents, read directly. */
async function mirror() {
  const found = await AccountMirror.find(ADDRESS)
  if (!found) throw new Error('there is no mirror')
  const listing = await found.journal.list()
  const { entries, damaged } = await found.journal.read(listing)
  const records = new Map<string, unknown>()
  for (const [key, text] of entries) if (text !== undefined) records.set(key, decodeValue(text))
  return { state: (await found.readState())?.enclave, records, listing, damaged }
}

const ids = async (storage: AccountStorage) => (await storage.readTokens()).map(({ id }) => id).sort()
const health = async (storage: AccountStorage) => (await storage.mirrorHealth()).mirror

/** Simulates corruption: the database is gone, without any event. */
async function loseDatabase(): Promise<void> {
  for (const storage of open.splice(0)) storage.close()
  await settled(indexedDB.deleteDatabase(`vault_${ADDRESS}`))
}

describe('the mirror', () => {
  it('has every change by the time it is reported as saved', async () => {
    const { storage } = await account()
    const big = token('a', { policy: [['==', '.n', 2n ** 60n]], subject: null })
    await storage.addToken(big, note('receipt:1', 'sealed'))
    expect((await mirror()).records.get('m"receipt:1"')).toEqual(note('receipt:1', 'sealed'))
    await storage.addToken(token('b'))
    await storage.removeToken('a')
    await storage.putMetadata(note('label', 'new', 2))
    await storage.putSession({ id: 's', accountAddress: ADDRESS, expiresAt: 5, createdAt: 1 })
    await storage.writeState(sealed(2), 200, { tokens: [token('c')], removed: { metadata: ['label'] } })
    const { state, records } = await mirror()
    expect(state).toBe(sealed(2))
    expect([...records.keys()].sort()).toEqual(['m"receipt:1"', 's"s"', 't"b"', 't"c"'])
    await storage.writeBatch(storage.expiryBatch(await storage.readExpired(10)))
    expect((await mirror()).records.has('s"s"')).toBe(false)
    expect(await storage.mirrorHealth()).toEqual({ mirror: 'whole', mirroredAt: expect.any(Number) })
  })

  it('includes what existed before the mirror, even records that do not parse', async () => {
    await AccountStorage.open(ADDRESS).then(async (storage) => {
      await storage.writeState(sealed(1), 100, { tokens: [token('old')] })
      storage.close()
    })
    const bad = { id: 'bad', token: 5, when: 1n }
    await rawPut(ADDRESS, 'tokens', bad)
    new FakeDisk().install()
    const storage = await tab()
    expect(await health(storage)).toBe('whole')
    await loseDatabase()
    const { state, records } = await mirror()
    expect(state).toBe(sealed(1))
    expect(records.get('t"old"')).toEqual(token('old'))
    expect(records.get('t"bad"')).toMatchObject({ id: 'bad', token: 5 })
  })

  it('has no trace of a change that the database refused', async () => {
    const { storage } = await account()
    const free = fillDisk('tokens')
    await expect(storage.addToken(token('a'))).rejects.toMatchObject({ details: { quota: true } })
    await expect(
      storage.writeState(sealed(2), 200, { tokens: Array.from({ length: 50 }, (_, n) => token(`t${n}`)) }),
    ).rejects.toMatchObject({ details: { quota: true } })
    free()
    const { state, records } = await mirror()
    expect(state).toBe(sealed(1))
    expect(records.size).toBe(0)
    expect(await health(storage)).toBe('whole')
  })

  it('has no older state after the data key was replaced', async () => {
    const { disk, storage } = await account()
    storage.close()
    // A restored backup leaves the newer state that it replaced.
    await rawPut(ADDRESS, 'state', {
      ...((await rawAll(ADDRESS, 'state'))[0] as object),
      enclave: sealed(1, 'restored'),
    })
    const restored = await AccountStorage.open(ADDRESS)
    open.push(restored)
    await restored.startMirror({ restored: true })
    expect(disk.text(`keyhole/${ADDRESS}/replaced.json`)).toContain('one')
    await restored.writeState(sealed(2, 'restored'), 1)
    expect([...disk.files().keys()]).toContain(`keyhole/${ADDRESS}/replaced.json`)
    await restored.writeState(sealed(3, 'rekeyed'), 1)
    const left = [...disk.files().keys()].map((path) => disk.text(path)).join()
    expect(left).toContain('rekeyed')
    expect(left).not.toContain('restored')
    expect(left).not.toContain('one')
  })

  it('has no older state after the data key was replaced while its latest was damaged', async () => {
    const { disk, storage } = await account()
    await storage.writeState(sealed(2), 100)
    await storage.writeState(sealed(3), 100)
    disk.damage(STATE, (bytes) => bytes.fill(0))
    await storage.writeState(sealed(4, 'two'), 100)
    const files = [...disk.files().keys()].filter((name) => name.endsWith('.json'))
    for (const name of files) expect(disk.text(name)).not.toContain('one')
  })

  it('is made again after its directory vanished', async () => {
    const { disk, storage } = await account()
    await storage.writeState(sealed(2), 100, { tokens: [token('a')] })
    disk.delete(`keyhole/${ADDRESS}`)
    await storage.addToken(token('b'))
    await storage.mirrored()
    expect(await health(storage)).toBe('whole')
    const { state, records } = await mirror()
    expect(state).toBe(sealed(2))
    expect([...records.keys()].sort()).toEqual(['t"a"', 't"b"'])
  })

  it('is made again on request after its directory vanished', async () => {
    const { disk, storage } = await account()
    disk.delete(`keyhole/${ADDRESS}`)
    await storage.renewMirror()
    expect(await health(storage)).toBe('whole')
  })

  it('is unavailable without a file system, and nothing else differs', async () => {
    const storage = await AccountStorage.open(ADDRESS)
    open.push(storage)
    await storage.writeState(sealed(1), 1)
    await storage.startMirror()
    await storage.addToken(token('a'))
    expect(await storage.mirrorHealth()).toEqual({ mirror: 'unavailable', why: 'unsupported' })
    expect(await rawAll(ADDRESS, 'state')).toHaveLength(1)
  })
})

describe('a failed write to the mirror', () => {
  it('fails no save, is reported, and is repaired once there is space again', async () => {
    const { disk, storage } = await account()
    await storage.addToken(token('a'))
    disk.space = 0
    await storage.addToken(token('b'))
    await storage.removeToken('a')
    expect(await storage.mirrorHealth()).toMatchObject({
      mirror: 'behind',
      why: 'full',
    })
    disk.space = Number.POSITIVE_INFINITY
    await storage.addToken(token('c'))
    await storage.mirrored()
    expect(await health(storage)).toBe('whole')
    expect([...(await mirror()).records.keys()].sort()).toEqual(['t"b"', 't"c"'])
  })

  it('is repaired on request, but not before there is space', async () => {
    const { disk, storage } = await account()
    disk.space = 0
    await storage.addToken(token('a'))
    await storage.writeState(sealed(2), 1)
    await storage.renewMirror()
    expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'behind', why: 'full' })
    disk.space = Number.POSITIVE_INFINITY
    await storage.renewMirror()
    expect(await health(storage)).toBe('whole')
    const { state, records } = await mirror()
    expect(state).toBe(sealed(2))
    expect([...records.keys()]).toEqual(['t"a"'])
  })

  it('is repaired at the next opening, without restoring what was deleted in between', async () => {
    const { disk, storage } = await account()
    await storage.addToken(token('a'))
    disk.space = 0
    await storage.removeToken('a')
    await storage.writeState(sealed(2), 1)
    storage.close()
    disk.space = Number.POSITIVE_INFINITY
    const next = await tab()
    expect(await ids(next)).toEqual([])
    const { state, records } = await mirror()
    expect(state).toBe(sealed(2))
    expect(records.size).toBe(0)
    expect(await health(next)).toBe('whole')
  })

  it('does not block saves for long if the file system hangs, even on reads', async () => {
    const { storage: before } = await account()
    before.close()
    const directory = await navigator.storage.getDirectory()
    const hanging = await (await directory.getDirectoryHandle('keyhole')).getDirectoryHandle(ADDRESS)
    vi.spyOn(AccountMirror, 'make').mockImplementation(async () => {
      const never = new Promise<never>(() => {})
      const handle = { ...hanging, getFileHandle: () => never, removeEntry: () => never }
      return Reflect.construct(AccountMirror, [ADDRESS, handle])
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const storage = await AccountStorage.open(ADDRESS)
    open.push(storage)
    const started = storage.startMirror()
    const saved = storage.addToken(token('a'))
    for (let n = 0; n < 10; n += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(10_000)
    }
    await started
    await saved
    expect(await ids(storage)).toEqual(['a'])
    expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'unavailable' })
  })

  it('during a repair is repaired the next time', async () => {
    const { disk, storage } = await account()
    await storage.addToken(token('a'))
    disk.before = (step) => {
      if (step.startsWith('begin')) throw new Error('it fails')
    }
    await storage.addToken(token('b'))
    let during: Promise<void> | undefined
    disk.before = (step) => {
      if (!step.startsWith('begin')) return
      if (/\.0-\d+\.segment$/.test(step)) during ??= storage.removeToken('a')
      else if (during) throw new Error('it fails again')
    }
    await storage.addToken(token('c'))
    await storage.mirrored()
    await during
    expect(during).toBeDefined()
    disk.before = undefined
    await storage.addToken(token('d'))
    await storage.mirrored()
    expect(await health(storage)).toBe('whole')
    expect([...(await mirror()).records.keys()].sort()).toEqual(['t"b"', 't"c"', 't"d"'])
  })

  it('restores nothing that was deleted during the comparison', async () => {
    const { disk, storage: before } = await account()
    await before.addToken(token('a'))
    await before.addToken(token('b'))
    before.close()
    const storage = await AccountStorage.open(ADDRESS)
    open.push(storage)
    const keys = storage.records.keys.bind(storage.records)
    let isRemoved = false
    vi.spyOn(storage.records, 'keys').mockImplementation(async function* (store) {
      if (!isRemoved) {
        isRemoved = true
        disk.before = (step) => {
          if (step.startsWith('begin')) throw new Error('it fails')
        }
        await storage.removeToken('a')
        disk.before = undefined
      }
      yield* keys(store)
    })
    await storage.startMirror()
    await storage.mirrored()
    expect(isRemoved).toBe(true)
    expect(await ids(storage)).toEqual(['b'])
    await storage.addToken(token('c'))
    await storage.mirrored()
    expect(await health(storage)).toBe('whole')
    expect([...(await mirror()).records.keys()].sort()).toEqual(['t"b"', 't"c"'])
  })

  it('of a broken file system makes it unavailable, with the reason', async () => {
    const { disk, storage } = await account()
    storage.close()
    disk.before = () => {
      throw new DOMException('The file system is broken.', 'UnknownError')
    }
    const next = await tab()
    await next.addToken(token('a'))
    expect(await next.mirrorHealth()).toEqual({ mirror: 'unavailable', why: 'refused' })
    disk.before = undefined
    await next.renewMirror()
    expect(await health(next)).toBe('whole')
    next.close()
    expect(await health(await tab())).toBe('whole')
    expect((await mirror()).records.has('t"a"')).toBe(true)
  })
})

describe('opening', () => {
  it('gives a database that went back in time the later changes from the journal', async () => {
    const { storage } = await account()
    await storage.addToken(token('a'))
    await storage.addToken(token('b'))
    const before = await rawAll(ADDRESS, 'state')
    await storage.removeToken('a')
    await storage.addToken(token('c'))
    await storage.putMetadata(note('n', 'x'))
    storage.close()
    await rawDatabase(ADDRESS, async (db) => {
      const work = db.transaction(['tokens', 'metadata', 'state'], 'readwrite')
      work.objectStore('tokens').clear()
      work.objectStore('metadata').clear()
      work.objectStore('tokens').put(token('a'))
      work.objectStore('tokens').put(token('b'))
      for (const record of before) work.objectStore('state').put(record)
      await new Promise((resolve) => {
        work.oncomplete = resolve
      })
    })
    const reports: MirrorReport[] = []
    const next = await tab(reports)
    expect(await ids(next)).toEqual(['b', 'c'])
    expect(await next.readMetadata()).toEqual([note('n', 'x')])
    expect(reports).toEqual([{ brought: 3, damaged: [] }])
  })

  it('copies what only one side has to the other', async () => {
    const { storage } = await account()
    await storage.addToken(token('a'))
    await storage.addToken(token('b'))
    await storage.addToken(token('gone'))
    await storage.removeToken('gone')
    storage.close()
    await rawDatabase(ADDRESS, async (db) => {
      await settled(db.transaction('tokens', 'readwrite').objectStore('tokens').delete('a'))
    })
    await rawPut(ADDRESS, 'tokens', token('other'))
    const reports: MirrorReport[] = []
    const next = await tab(reports)
    expect(await ids(next)).toEqual(['a', 'b', 'other'])
    expect([...(await mirror()).records.keys()].sort()).toEqual(['t"a"', 't"b"', 't"other"'])
    expect(reports).toEqual([{ brought: 1, damaged: [] }])
    expect(await health(next)).toBe('whole')
  })

  it('rewrites a damaged mirror from the database, and reports it', async () => {
    const { disk, storage } = await account()
    for (let n = 0; n < 5; n++) await storage.addToken(token(`t${n}`))
    await storage.removeToken('t0')
    storage.close()
    const path = [...disk.files().keys()].find((name) => name.includes('.3-3.segment')) ?? ''
    disk.damage(path, (bytes) => bytes.map((byte, at) => (at > 200 ? byte ^ 255 : byte)))
    disk.damage(STATE, (bytes) => bytes.map((byte, at) => (at === 70 ? byte ^ 1 : byte)))
    const reports: MirrorReport[] = []
    const next = await tab(reports)
    expect(reports).toEqual([{ brought: 0, damaged: [path.split('/').at(-1)] }])
    expect(await ids(next)).toEqual(['t1', 't2', 't3', 't4'])
    const { state, records, damaged } = await mirror()
    expect(state).toBe(sealed(1))
    expect(records.size).toBe(4)
    expect(damaged).toEqual([])
    expect(await health(next)).toBe('whole')
  })

  it('merges the mirror of an earlier database, and loses nothing from either', async () => {
    const { storage } = await account()
    await storage.addToken(token('mirrored'))
    await storage.putMetadata(note('both', 'older', 1))
    await storage.putMetadata(note('newer', 'mirror', 9))
    await loseDatabase()
    const begun = await AccountStorage.open(ADDRESS)
    await begun.writeState(sealed(1), 100, {
      tokens: [token('own')],
      metadata: [note('both', 'mine', 5), note('newer', 'mine', 5)],
    })
    begun.close()
    const next = await tab()
    expect(await ids(next)).toEqual(['mirrored', 'own'])
    expect((await next.readMetadata()).map(({ key, sealed }) => [key, sealed]).sort()).toEqual([
      ['both', 'mine'],
      ['newer', 'mirror'],
    ])
    expect(await health(next)).toBe('whole')
    expect((await mirror()).records.get('m"both"')).toEqual(note('both', 'mine', 5))
    await next.removeToken('mirrored')
    next.close()
    expect(await ids(await tab())).toEqual(['own'])
  })
})

it('keeps the log of the copy separate if a restored account continues its own', async () => {
  const { storage } = await account()
  for (const line of [1, 2, 3, 4]) await storage.putMetadata(note(`activity:${line}`, `line ${line}`, line))
  await loseDatabase()
  const restored = await AccountStorage.open(ADDRESS)
  open.push(restored)
  const own = [note('activity:1', 'line 1', 1), note('activity:3', 'restored', 9)]
  await restored.writeState(sealed(1), 100, { metadata: own })
  await restored.startMirror({ restored: true })
  await restored.mirrored()
  const lines = (await restored.readMetadata()).map(({ key, sealed }) => [
    key.split(':').slice(0, 2).join(':'),
    sealed,
  ])
  expect(lines.sort()).toEqual([
    ['activity-apart:3', 'line 3'],
    ['activity-apart:4', 'line 4'],
    ['activity:1', 'line 1'],
    ['activity:2', 'line 2'],
    ['activity:3', 'restored'],
  ])
  expect(await health(restored)).toBe('whole')
})

describe('eight tabs at once', () => {
  it('lose nothing and write nothing twice', async () => {
    const { storage, disk } = await account()
    const tabs = [storage]
    for (let n = 1; n < 8; n++) tabs.push(await tab())
    await Promise.all(
      tabs.flatMap((each, who) =>
        Array.from({ length: 12 }, async (_, n) => {
          await each.addToken(token(`${who}-${n}`, { cid: `cid-${who % 4}-${n}` }))
          if (n % 4 === 3) await each.removeToken(`${who}-${n - 1}`)
          await each.putMetadata(note(`shared-${n}`, `by ${who}`, who))
        }),
      ),
    )
    for (const each of tabs) await each.mirrored()
    const stored = await storage.readTokens()
    expect(new Set(stored.map(({ cid }) => cid)).size).toBe(stored.length)
    const { records, listing } = await mirror()
    expect([...records.keys()].filter((key) => key.startsWith('t')).sort()).toEqual(
      stored.map(({ id }) => `t"${id}"`).sort(),
    )
    for (const record of await storage.readMetadata()) expect(records.get(`m"${record.id}"`)).toEqual(record)
    expect(listing.gaps).toBe(0)
    expect(disk.files().size).toBeLessThan(60)
    for (const each of tabs) expect(await health(each)).toBe('whole')
  })
})

describe('a tab killed at any step', () => {
  /** What the person was told: a begun change may have happened or not; a done one has. */
  interface Told {
    begin(...ids: string[]): void
    done(there: boolean, ...ids: string[]): void
  }
  type Act = readonly [name: string, act: (storage: AccountStorage, told: Told) => Promise<void>]
  const acts: Act[] = [
    [
      'saving',
      async (storage, { begin, done }) => {
        begin('x')
        await storage.addToken(token('x'), note('receipt:x', 'y'))
        done(true, 'x')
        begin('y')
        await storage.addToken(token('y'))
        done(true, 'y')
      },
    ],
    [
      'saving with a sealed state',
      async (storage, { begin, done }) => {
        begin('x')
        await storage.writeState(sealed(2), 2, { tokens: [token('x')] })
        done(true, 'x')
        begin('y')
        await storage.writeState(sealed(3), 3, { tokens: [token('y')] })
        done(true, 'y')
      },
    ],
    [
      'deleting',
      async (storage, { begin, done }) => {
        begin('a')
        await storage.removeToken('a')
        done(false, 'a')
        begin('b')
        await storage.removeToken('b')
        done(false, 'b')
      },
    ],
    [
      'replacing the data key',
      async (storage, { begin, done }) => {
        begin('x', 'a')
        await storage.writeState(sealed(2, 'two'), 2, { tokens: [token('x')], removed: { tokens: ['a'] } })
        done(true, 'x')
        done(false, 'a')
      },
    ],
    [
      'merging',
      async (storage, { begin, done }) => {
        for (let n = 0; n < 16; n++) {
          begin(`m${n}`)
          await storage.addToken(token(`m${n}`))
          done(true, `m${n}`)
          if (n % 3 !== 0) continue
          begin(`m${n}`)
          await storage.removeToken(`m${n}`)
          done(false, `m${n}`)
        }
        await storage.mirrored()
      },
    ],
  ]

  /** Runs the change, and dies at one of its steps. */
  async function live(at: number, [, act]: Act) {
    const { disk, storage } = await account()
    await storage.addToken(token('a'))
    await storage.addToken(token('b'))
    const confirmed = new Map([
      ['a', true],
      ['b', true],
    ])
    let killed = false
    disk.killAt(at, () => {
      killed = true
      storage.close()
    })
    const told: Told = {
      begin: (...ids) => {
        if (!killed) for (const id of ids) confirmed.delete(id)
      },
      done: (there, ...ids) => {
        if (!killed) for (const id of ids) confirmed.set(id, there)
      },
    }
    await act(storage, told).catch((error: unknown) => {
      if (!killed) throw error
    })
    storage.close()
    disk.reboot()
    return { disk, confirmed, killed }
  }

  it.each(acts)('while %s keeps confirmed changes, with both sides or only one', async (...act) => {
    let at = 0
    for (let killed = true; killed; at++) {
      const life = await live(at, act)
      killed = life.killed
      const next = await tab()
      const stored = await ids(next)
      for (const [id, there] of life.confirmed) expect(stored.includes(id), `step ${at}: ${id}`).toBe(there)
      const { records, state } = await mirror()
      expect([...records.keys()].filter((key) => key.startsWith('t')).sort(), `step ${at}`).toEqual(
        stored.map((id) => `t"${id}"`),
      )
      expect(state).toBe((await next.readState())?.enclave)
      expect(await health(next)).toBe('whole')
      await loseDatabase()
      for (const path of life.disk.files().keys()) life.disk.delete(path)
    }
    expect(at).toBeGreaterThan(5)
  })

  it.each(acts)('while %s, losing its database too, keeps confirmed changes', async (...act) => {
    for (let at = 0, killed = true; killed; at++) {
      const life = await live(at, act)
      killed = life.killed
      const { records, state } = await mirror()
      for (const [id, there] of life.confirmed) {
        expect(records.has(`t"${id}"`), `step ${at}: ${id}`).toBe(there)
      }
      expect(state).toBeDefined()
      await loseDatabase()
    }
  })

  it('while syncing is synced the next time', async () => {
    for (let at = 0, killed = true; killed; at++) {
      killed = false
      const { disk, storage } = await account()
      for (let n = 0; n < 6; n++) await storage.addToken(token(`t${n}`))
      await storage.removeToken('t0')
      storage.close()
      const path = [...disk.files().keys()].find((name) => name.includes('.3-3.segment')) ?? ''
      if (at % 2) disk.damage(path, (bytes) => bytes.map((byte, index) => (index > 200 ? byte ^ 255 : byte)))
      else disk.delete(path)
      const half = await AccountStorage.open(ADDRESS)
      disk.killAt(at >> 1, () => {
        killed = true
        half.close()
      })
      await half.startMirror()
      await half.mirrored()
      half.close()
      disk.reboot()
      const next = await tab()
      expect(await ids(next), `step ${at}`).toEqual(['t1', 't2', 't3', 't4', 't5'])
      expect(await health(next)).toBe('whole')
      expect((await mirror()).records.size).toBe(5)
      await loseDatabase()
    }
  })
})
