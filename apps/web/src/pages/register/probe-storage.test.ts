import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { probeStorage } from './probe-storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('storage that works is told, and nothing of the probe stays', async () => {
  expect(await probeStorage()).toBe(true)
  await vi.waitFor(async () => expect(await indexedDB.databases()).toEqual([]))
})

test.each<[string, () => void]>([
  ['is missing', () => vi.stubGlobal('indexedDB', undefined)],
  [
    'is forbidden',
    () =>
      vi.spyOn(indexedDB, 'open').mockImplementation(() => {
        throw new DOMException('The user denied permission.', 'SecurityError')
      }),
  ],
  [
    'is full',
    () =>
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }),
  ],
])('storage that %s is told', async (_how, spoil) => {
  spoil()
  expect(await probeStorage()).toBe(false)
})
