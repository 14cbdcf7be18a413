import type { KeyInfo } from '@keyhole/vault'
import { expect, test } from 'vitest'
import { keyName } from './key-name.ts'

const key = (did: string, label?: string): KeyInfo => ({
  ...{ key_id: did, did, key_type: 'ed25519', created_at: 1, is_default: false, is_first: false },
  ...(label !== undefined && { label }),
})
const first = key('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')
const work = key('did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2', 'Work')
const third = key('did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM')

test('a key is called by its name, and by its number and its end where it has none', () => {
  const keys = [first, work, third]
  expect(keys.map((each) => keyName(each, keys))).toEqual(['Key 1 (…2doK)', 'Work', 'Key 3 (…THEM)'])
})

test('the ends of two keys differ', () => {
  const alike = key('did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swb2doK')
  expect(keyName(first, [first, alike])).toBe('Key 1 (…ta2doK)')
})

test('a key that its list does not have has no number', () => {
  expect(keyName(third, [first])).toBe('Key (…THEM)')
})
