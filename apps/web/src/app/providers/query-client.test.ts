import { onlineManager } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient, retryDelay } from './query-client.ts'

test('retries three times, backing off from one second to thirty', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  const { queries } = createQueryClient().getDefaultOptions()
  expect(queries?.retry).toBe(3)
  expect(queries?.gcTime).toBe(300_000)
})

test('reads from the vault while offline too', async () => {
  onlineManager.setOnline(false)
  try {
    const queries = createQueryClient()
    expect(await queries.fetchQuery({ queryKey: ['x'], queryFn: async () => 'read' })).toBe('read')
  } finally {
    onlineManager.setOnline(true)
  }
})
