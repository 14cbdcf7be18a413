import { expect, it } from 'vitest'
import { AccountStorage } from '../storage/account/account-storage.ts'
import type { TokenRecord } from '../storage/schema.ts'
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
  expect(await reader.count()).toBe(5)

  await storage.addToken(record('f'))
  await storage.removeToken('a')
  expect(await reader.ids()).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect((await reader.read(['f', 'gone', 'c'])).map(({ id }) => id)).toEqual(['f'])
  reader.close()
  storage.close()
})

it('creates no database for an account that is not here', async () => {
  await expect(TokenReader.open('kh1nobody')).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    details: { name: 'AccountNotHere' },
  })
  expect(await indexedDB.databases()).toEqual([])
})
