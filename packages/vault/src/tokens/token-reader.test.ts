import { expect, it, vi } from 'vitest'
import { AccountStorage } from '../storage/account/account-storage.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { freshBrowser, rawPut } from '../test/browser.ts'
import { TokenReader } from './token-reader.ts'

freshBrowser()

const record = (id: string): TokenRecord => ({
  ...{ id, token: `C${id}`, type: 'origin', issuer: 'did:key:zA', audience: 'kh1b', createdAt: 1 },
})

it('reads all tokens in chunks, skips what does not parse, and sees later writes', async () => {
  const storage = await AccountStorage.open('kh1a')
  for (const id of ['a', 'b', 'd', 'e']) await storage.addToken(record(id))
  await rawPut('kh1a', 'tokens', { id: 'c', token: 7 })
  const reader = await TokenReader.open('kh1a')
  const chunks: string[][] = []
  for await (const chunk of reader.chunks(2)) chunks.push(chunk.map(({ id }) => id))
  expect(chunks.flat()).toEqual(['a', 'b', 'd', 'e'])
  expect(chunks.length).toBeGreaterThan(1)

  await storage.addToken(record('f'))
  await storage.removeToken('a')
  expect(await reader.ids()).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect((await reader.read(['f', 'gone', 'c'])).map(({ id }) => id)).toEqual(['f'])
  await reader.close()
  storage.close()
})

it('lets an unlock or a change end before it reads on', async () => {
  const storage = await AccountStorage.open('kh1a')
  for (const id of ['a', 'b']) await storage.addToken(record(id))
  const reader = await TokenReader.open('kh1a')
  const seen: string[] = []
  const read = async () => {
    for await (const chunk of reader.chunks(1)) seen.push(...chunk.map(({ id }) => id))
  }
  let reading = Promise.resolve()
  await withWriteLock('kh1a', async () => {
    reading = read()
    // Single tokens can be read meanwhile.
    expect(await reader.read(['a', 'b'])).toHaveLength(2)
    expect(seen).toEqual([])
  })
  await reading
  expect(seen).toEqual(['a', 'b'])
  await reader.close()
  storage.close()
})

it('lets the reads in progress end before it closes, and refuses later ones without asking the database', async () => {
  const storage = await AccountStorage.open('kh1a')
  for (const id of ['a', 'b', 'c']) await storage.addToken(record(id))
  const reader = await TokenReader.open('kh1a')
  const chunks = reader.chunks(1)
  await chunks.next()
  const ended: string[] = []
  const note = (what: string) => () => void ended.push(what)
  const reading = reader.ids().then(note('ids'))
  // The second page is being read ahead.
  const closing = reader.close().then(note('close'))
  await Promise.all([reading, closing])
  expect(ended).toEqual(['ids', 'close'])

  const asked = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const closed = { details: { name: 'NoVault' } }
  await expect(reader.ids()).rejects.toMatchObject(closed)
  await expect(reader.read(['a'])).rejects.toMatchObject(closed)
  await expect(reader.chunks(1).next()).rejects.toMatchObject(closed)
  // What was read ahead is still there, and nothing comes after it.
  expect((await chunks.next()).value).toMatchObject([{ id: 'b' }])
  await expect(chunks.next()).rejects.toMatchObject(closed)
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
  storage.close()
})

it('creates no database for an account that is not here', async () => {
  await expect(TokenReader.open('kh1nobody')).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    details: { name: 'AccountNotHere' },
  })
  expect(await indexedDB.databases()).toEqual([])
})
