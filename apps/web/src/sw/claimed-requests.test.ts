import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimRequest, giveBackRequest } from './claimed-requests.ts'

const SHOP = 'https://shop.example'
async function digestOf(origin: string, id: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${origin}\n${id}`))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The parts of a browser's cache used here, with names in order of arrival. */
class FakeCache {
  readonly names = new Set<string>()
  readonly #pathOf = (request: string | { url: string }) =>
    new URL(typeof request === 'string' ? request : request.url, 'https://keyhole.example').pathname

  match = async (request: string) => (this.names.has(this.#pathOf(request)) ? new Response() : undefined)
  put = async (request: string) => void this.names.add(this.#pathOf(request))
  delete = async (request: string | { url: string }) => this.names.delete(this.#pathOf(request))
  keys = async () => [...this.names].map((name) => ({ url: `https://keyhole.example${name}` }))
}

let cache: FakeCache

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

beforeEach(() => {
  cache = new FakeCache()
  let before: Promise<unknown> = Promise.resolve()
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, work: () => Promise<unknown>) => {
        const mine = before.then(work)
        before = mine.catch(() => undefined)
        return mine
      },
    },
  })
})

test('a request is claimed once, by the first to try, until it is given back', async () => {
  const claims = await Promise.all([1, 2, 3].map(() => claimRequest(SHOP, 'A-1')))
  expect(claims.filter(Boolean)).toHaveLength(1)
  expect(await claimRequest(SHOP, 'A-2')).toBe(true)
  expect(await claimRequest('https://other.example', 'A-1')).toBe(true)
  await giveBackRequest(SHOP, 'A-1')
  expect(await claimRequest(SHOP, 'A-1')).toBe(true)
  expect(await claimRequest(SHOP, 'A-1')).toBe(false)
})

test('with too many claims the oldest is forgotten, and the newest stay', async () => {
  for (let count = 0; count < 500; count += 1) cache.names.add(`/claim/${count}`)
  expect(await claimRequest(SHOP, 'A-1')).toBe(true)
  expect(cache.names.size).toBe(500)
  expect(cache.names).not.toContain('/claim/0')
  expect(cache.names).toContain('/claim/1')
  expect(await claimRequest(SHOP, 'A-1')).toBe(false)
})

test('stored claims don’t confirm a guess at which site was paid', async () => {
  await claimRequest(SHOP, 'A-1')
  const [name = ''] = cache.names
  expect(name).toMatch(/^\/claim\/[0-9a-f]{64}$/)
  expect(name).not.toContain(await digestOf(SHOP, 'A-1'))
  // Another profile stores the same request under another name.
  vi.stubGlobal('indexedDB', new (Object.getPrototypeOf(indexedDB).constructor)())
  cache = new FakeCache()
  await claimRequest(SHOP, 'A-1')
  expect([...cache.names]).not.toEqual([name])
})

test('claims of an earlier version still count, and are moved under the key', async () => {
  cache.names.add(`/${await digestOf(SHOP, 'A-1')}`)
  cache.names.add(`/${await digestOf(SHOP, 'A-2')}`)
  expect(await claimRequest(SHOP, 'A-1')).toBe(false)
  expect(await claimRequest(SHOP, 'A-2')).toBe(false)
  expect(cache.names.size).toBe(2)
  for (const name of cache.names) expect(name).toMatch(/^\/claim\//)
})

test('if storage fails, nothing is claimed', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('closed', 'UnknownError')
    },
  })
  await expect(claimRequest(SHOP, 'A-1')).rejects.toThrow('closed')
  expect(cache.names.size).toBe(0)
})

test('with a key that was not stored nothing is claimed, because the next worker would have another', async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  const put = IDBObjectStore.prototype.put
  // A full disk undoes the put when the transaction ends.
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, ...given) {
    const request = put.apply(this, given)
    request.addEventListener('success', () => this.transaction.abort())
    return request
  })
  await expect(claimRequest(SHOP, 'A-1')).rejects.toMatchObject({ name: 'AbortError' })
  expect(cache.names.size).toBe(0)
  expect(await claimRequest(SHOP, 'A-1')).toBe(true)
  expect(await claimRequest(SHOP, 'A-1')).toBe(false)
})

test('a database that never opens is given up, and delays nothing later', async () => {
  vi.useFakeTimers()
  const factory = new IDBFactory()
  const open = vi.fn((): object => ({}))
  vi.stubGlobal('indexedDB', { open })
  const claimed = expect(claimRequest(SHOP, 'A-1')).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.waitFor(() => expect(open).toHaveBeenCalled())
  await vi.runAllTimersAsync()
  await claimed
  vi.useRealTimers()
  vi.stubGlobal('indexedDB', factory)
  expect(await claimRequest(SHOP, 'A-1')).toBe(true)
})
