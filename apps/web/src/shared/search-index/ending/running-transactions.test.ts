import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { followTransactions } from './running-transactions.ts'

test('waits until every transaction has ended, whether it completed or was aborted', async () => {
  const settled = followTransactions(IDBDatabase.prototype)
  await settled()
  const database = await new Promise<globalThis.IDBDatabase>((resolve) => {
    const opening = new IDBFactory().open('tokens')
    opening.onupgradeneeded = () => opening.result.createObjectStore('tokens')
    opening.onsuccess = () => resolve(opening.result)
  })
  const ends: string[] = []
  for (const end of ['complete', 'abort'] as const) {
    const transaction = database.transaction('tokens')
    transaction.objectStore('tokens').getAll()
    transaction.addEventListener(end, () => ends.push(end))
    if (end === 'abort') transaction.abort()
  }
  expect(ends).toEqual([])
  await settled()
  expect(ends.sort()).toEqual(['abort', 'complete'])
  await settled()
})
