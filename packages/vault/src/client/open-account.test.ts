import type { Enclave } from '@keyhole/enclave'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { AccountStorage } from '../storage/account/account-storage.ts'
import { StagedRecords } from '../storage/mirror/staged-records.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { dumpDisk, freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { FakeDisk } from '../test/opfs.ts'
import { type NewAccount, storeNew } from './open-account.ts'

freshBrowser()

const ADDRESS = 'kh1a'
const opened: AccountStorage[] = []
let disk: FakeDisk

beforeEach(() => {
  disk = new FakeDisk()
  disk.install()
  vi.stubGlobal('navigator', { ...navigator, locks: new FakeLocks() })
})

afterEach(() => {
  for (const storage of opened.splice(0)) storage.close()
})

const TOKENS = ['a', 'b', 'c'].map(
  (id): TokenRecord => ({
    ...{ id, token: `text-${id}`, type: 'received', issuer: 'did:key:z6MkA', audience: 'kh1b' },
    ...{ createdAt: 1, cid: `bafy-${id}` },
  }),
)

/** An account whose tokens go into a journal first. */
function restored(then: () => void = () => undefined): NewAccount {
  return {
    enclave: {} as Enclave,
    address: ADDRESS,
    fills: true,
    make: async () => {
      const staged = await StagedRecords.begin(ADDRESS)
      if (!staged) throw new Error('There is no place for a journal.')
      await staged.write(
        (async function* () {
          yield { tokens: TOKENS }
        })(),
      )
      then()
      const sealed = JSON.stringify({ revision: 1, keys: [{ sealed: 'key' }] })
      return { sealed, batch: {}, journal: staged.journal }
    },
  }
}

async function store(account: NewAccount): Promise<AccountStorage> {
  const { storage } = await storeNew(account, {}, systemClock)
  opened.push(storage)
  return storage
}

it('restoring the same account in two tabs leaves the first with all its tokens', async () => {
  const first = store(restored())
  const second = store(restored())
  await expect(second).rejects.toMatchObject({ details: { name: 'AccountHere' } })
  const storage = await first
  expect(await storage.readTokens()).toHaveLength(TOKENS.length)
  await storage.startMirror({ restored: true })
  await storage.mirrored()
  expect(await rawAll(ADDRESS, 'tokens')).toHaveLength(TOKENS.length)
  expect(await storage.mirrorHealth()).toMatchObject({ mirror: 'whole' })
})

it('restoring an account that is here leaves what a killed tab was yet to take in', async () => {
  const killed = await store(restored())
  killed.close()
  await expect(store(restored())).rejects.toMatchObject({ details: { name: 'AccountHere' } })
  const next = await AccountStorage.open(ADDRESS)
  opened.push(next)
  await next.startMirror()
  await next.mirrored()
  expect(await rawAll(ADDRESS, 'tokens')).toHaveLength(TOKENS.length)
})

it('a restore that fails removes what it staged', async () => {
  const failing = restored(() => {
    throw new Error('stopped')
  })
  await expect(store(failing)).rejects.toThrow('stopped')
  expect([...disk.files()]).toEqual([])
})

it('an account whose state could not be read once is left as it is', async () => {
  const here = await store(restored())
  await here.startMirror({ restored: true })
  await here.mirrored()
  const before = await dumpDisk()
  const { get } = IDBObjectStore.prototype
  const failing = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
    this: IDBObjectStore,
    ...args
  ) {
    if (this.name === 'state' && args[0] === 'current')
      throw new DOMException('The disk failed.', 'UnknownError')
    return get.apply(this, args)
  })
  let isMade = false
  const again = restored()
  const make = async (storage: AccountStorage | undefined) => {
    isMade = true
    failing.mockRestore()
    return await again.make(storage)
  }
  await expect(storeNew({ ...again, make }, {}, systemClock)).rejects.toMatchObject({
    details: { name: 'StorageFailed' },
  })
  failing.mockRestore()
  expect(isMade).toBe(false)
  expect(await dumpDisk()).toBe(before)
})

it('an account whose state does not parse gets another one, and keeps the old one aside', async () => {
  const damaged = await AccountStorage.open(ADDRESS)
  damaged.close()
  await rawPut(ADDRESS, 'state', { id: 'current', accountAddress: ADDRESS, enclave: 7 })
  const storage = await store(restored())
  expect((await storage.readState())?.enclave).toContain('"revision":1')
  expect(await rawAll(ADDRESS, 'state')).toContainEqual(expect.objectContaining({ enclave: 7 }))
})
