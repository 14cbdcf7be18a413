import type { TokenRecord } from '@keyhole/vault/token-reader'
import { expect, test, vi } from 'vitest'
import { later } from '../test/later.ts'
import { StoredTokens } from '../test/stored-tokens.ts'
import { ClosingSource } from './closing-source.ts'

const record = (id: string): TokenRecord => ({
  ...{ id, token: `C${id}`, type: 'origin', issuer: 'did:key:zA', audience: 'kh1b', createdAt: 1 },
})
const stored = () => new StoredTokens(['a', 'b', 'c'].map(record))

test('reads what is stored until it is closed, and fails as the reading does', async () => {
  const store = stored()
  const source = new ClosingSource(Promise.resolve(store))
  expect(await source.ids()).toEqual(['a', 'b', 'c'])
  expect(await source.read(['b', 'gone'])).toEqual([record('b')])
  const chunks: number[] = []
  for await (const chunk of source.chunks(2)) chunks.push(chunk.length)
  expect(chunks).toEqual([2, 1])
  vi.spyOn(store, 'first').mockRejectedValueOnce(new Error('out of order'))
  await expect(source.first({ types: ['origin'], now: 0, most: 1 })).rejects.toThrow('out of order')
})

test('settles no read once it is closed, also none that is in progress or fails', async () => {
  const store = stored()
  const source = new ClosingSource(Promise.resolve(store))
  const settled = vi.fn()
  const follow = (reading: Promise<unknown>) => void reading.then(settled, settled)
  const chunks = source.chunks(1)
  await chunks.next()
  const failing = later<string[]>()
  const ids = vi.spyOn(store, 'ids').mockReturnValueOnce(failing.promise)
  follow(source.ids())
  await vi.waitFor(() => expect(ids).toHaveBeenCalled())
  const read = vi.spyOn(store, 'read')
  await source.close()
  failing.reject(new Error('cut off'))
  for (const reading of [source.ids(), source.read(['a']), chunks.next(), source.chunks(1).next()])
    follow(reading)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(settled).not.toHaveBeenCalled()
  expect(read).not.toHaveBeenCalled()
})

test('closes what is opened only then, without reading it', async () => {
  const store = stored()
  const [close, ids] = [vi.spyOn(store, 'close'), vi.spyOn(store, 'ids')]
  const opening = later<StoredTokens>()
  const source = new ClosingSource(opening.promise)
  void source.ids()
  const closing = source.close()
  opening.resolve(store)
  await closing
  expect(close).toHaveBeenCalledOnce()
  expect(ids).not.toHaveBeenCalled()
})
