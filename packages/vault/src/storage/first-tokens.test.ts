import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { freshBrowser, rawPut } from '../test/browser.ts'
import { TokenReader } from '../tokens/token-reader.ts'
import { AccountStorage } from './account/account-storage.ts'
import type { TokenRecord, TokenType } from './schema.ts'

freshBrowser()

const NOW = 1_000
const GIVEN: TokenType[] = ['origin', 'attenuated']

const record = (id: string, more: Partial<TokenRecord> = {}): TokenRecord => ({
  ...{ id, token: `C${id}`, type: 'origin', issuer: 'did:key:zA', audience: 'kh1b', createdAt: 1 },
  ...more,
})

/** The list as the search module orders it. */
function listed(records: readonly TokenRecord[], types: readonly TokenType[]): TokenRecord[] {
  const end = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenRecord) => expiresAt
  const byId = (one: TokenRecord, other: TokenRecord) => (one.id < other.id ? -1 : 1)
  const rows = records.filter(({ type, expiresAt }) => types.includes(type) && (expiresAt ?? NOW) >= NOW)
  const expiring = rows.filter(({ expiresAt }) => expiresAt !== undefined)
  const endless = rows.filter(({ expiresAt }) => expiresAt === undefined)
  return [
    ...expiring.sort((one, other) => end(one) - end(other) || byId(one, other)),
    ...endless.sort((one, other) => other.createdAt - one.createdAt || byId(one, other)),
  ]
}

/** Counts the records and keys that are read from now on. */
function countReads(): () => number {
  let read = 0
  for (const store of [IDBObjectStore.prototype, IDBIndex.prototype])
    for (const name of ['getAll', 'getAllKeys', 'openCursor', 'get'] as const) {
      const original = store[name] as (...args: unknown[]) => IDBRequest<unknown>
      vi.spyOn(store, name).mockImplementation(function (this: unknown, ...args: unknown[]) {
        const request = original.apply(this, args)
        request.addEventListener('success', () => {
          read += Array.isArray(request.result) ? request.result.length : 1
        })
        return request as never
      })
    }
  return () => read
}

async function filled(records: readonly TokenRecord[], address = 'kh1a') {
  const storage = await AccountStorage.open(address)
  await storage.writeBatch({ tokens: [...records] })
  storage.close()
  return await TokenReader.open(address)
}

it('reads as much of a list as it needs, whatever else is stored', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      record(`t${String(at).padStart(4, '0')}`, { expiresAt: NOW + at }),
    )
  const reads: number[] = []
  for (const count of [100, 1_000]) {
    const reader = await filled(many(count), `kh1with${count}`)
    const read = countReads()
    const first = await reader.first({ types: GIVEN, now: NOW + 20, most: 10 })
    reads.push(read())
    vi.restoreAllMocks()
    expect(first?.tokens.map(({ id }) => id)).toEqual(
      many(count)
        .slice(20, 30)
        .map(({ id }) => id),
    )
    expect(first?.isAll).toBe(false)
    await reader.close()
  }
  expect(reads[1]).toBe(reads[0])
  expect(reads[0]).toBeLessThan(50)
})

it('knows all of a short list among many other tokens, and what was revoked', async () => {
  const others = Array.from({ length: 50 }, (_, at) => record(`o${at}`, { expiresAt: NOW + at }))
  const received = record('r', { type: 'received', expiresAt: NOW - 1 })
  const revocation = record('v', { type: 'revocation', revokes: 'bafyr' })
  const reader = await filled([...others, received, revocation])
  await rawPut('kh1a', 'tokens', { id: 'p', type: 'received', token: 7 })
  expect(await reader.first({ types: ['received'], now: NOW, most: 10 })).toEqual({
    ...{ tokens: [received], isAll: true, revocations: [revocation] },
  })
  await reader.close()
})

it('says so if there are too many revocations to read', async () => {
  const revocations = Array.from({ length: 5 }, (_, at) => record(`v${at}`, { type: 'revocation' }))
  const reader = await filled([...revocations, record('o')])
  expect(await reader.first({ types: GIVEN, now: NOW, most: 4 })).toBeUndefined()
  expect(await reader.first({ types: GIVEN, now: NOW, most: 5 })).toBeDefined()
  // Then all of them can be read.
  expect(await reader.first({ types: GIVEN, now: NOW, most: 6 })).toBeUndefined()
  await reader.close()
})

it('leaves no gap: it is always the beginning of the list', async () => {
  const some = fc.array(
    fc.record({
      type: fc.constantFrom<TokenType>('origin', 'attenuated', 'received'),
      expiresAt: fc.option(fc.integer({ min: NOW - 2, max: NOW + 3 }), { nil: undefined }),
      createdAt: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 20 },
  )
  let round = 0
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 1, max: 8 }), async (parts, most) => {
      round += 1
      const records = parts.map(({ expiresAt, ...rest }, at) =>
        record(`t${(at * 7) % 23}`, { ...rest, ...(expiresAt !== undefined && { expiresAt }) }),
      )
      const reader = await filled(records, `kh1round${round}`)
      const first = await reader.first({ types: GIVEN, now: NOW, most })
      await reader.close()
      expect(first === undefined).toBe(records.length <= most)
      const all = listed(records, GIVEN)
      const found = listed(first?.tokens ?? [], GIVEN)
      expect(found).toEqual(all.slice(0, found.length))
      if (first?.isAll)
        expect(first.tokens).toHaveLength(records.filter(({ type }) => GIVEN.includes(type)).length)
      else expect((first?.tokens ?? []).every(({ expiresAt }) => (expiresAt ?? NOW) >= NOW)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
