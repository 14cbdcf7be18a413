import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { forgetVaultQueries } from './vault-query.ts'

test('a lock drops what was read from that account while it was open, and nothing else', () => {
  const client = new QueryClient()
  const open = ['vault', 'kh1a', 'activity', 'unlocked']
  const locked = ['vault', 'kh1a', 'methods', 'locked']
  const other = ['vault', 'kh1b', 'activity', 'unlocked']
  const elsewhere = ['something', 'kh1a', 'else', 'unlocked']
  for (const key of [open, locked, other, elsewhere]) client.setQueryData(key, 'read')
  forgetVaultQueries(client, 'kh1a')
  expect(client.getQueryData(open)).toBeUndefined()
  for (const key of [locked, other, elsewhere]) expect(client.getQueryData(key)).toBe('read')
  forgetVaultQueries(client, undefined)
  expect(client.getQueryData(other)).toBeUndefined()
})
