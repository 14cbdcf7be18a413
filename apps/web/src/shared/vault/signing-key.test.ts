import type { KeyInfo } from '@keyhole/vault'
import { expect, test } from 'vitest'
import { signingKey } from './signing-key.ts'

const key = (key_id: string) => ({ key_id }) as KeyInfo
const keys = [key('first'), key('second'), key('third')]

test.each([
  ['the one that was chosen', { keys, defaultKey: 'second' }, 'third', 'third'],
  ['the default', { keys, defaultKey: 'second' }, undefined, 'second'],
  ['the default, if nothing was chosen yet', { keys, defaultKey: 'second' }, '', 'second'],
  ['the default, if the chosen one was deleted', { keys, defaultKey: 'second' }, 'gone', 'second'],
  ['the first, if the default was deleted', { keys, defaultKey: 'gone' }, undefined, 'first'],
  ['none, if there is none', { keys: [], defaultKey: 'first' }, 'first', undefined],
] as const)('is %s', (_, vault, chosen, expected) => {
  expect(signingKey(vault, chosen)?.key_id).toBe(expected)
})
