import type { UnlockMethod } from '@keyhole/vault'
import { describe, expect, test } from 'vitest'
import { kindsOf, STRONG, UNLOCKING, whyNotRemoved } from './unlock-kinds.ts'

const method = (kind: UnlockMethod['kind'], id: string = kind): UnlockMethod => ({ id, kind, createdAt: 0 })
const PASSPHRASE = method('passphrase')
const PASSKEY = method('passkey')
const OTHER = method('passkey', 'other')
const CODE = method('recovery_code')

describe('whyNotRemoved', () => {
  test.each([
    [[PASSPHRASE], PASSPHRASE, /only one/],
    [[PASSPHRASE, CODE], PASSPHRASE, /recovery code alone/],
    [[PASSPHRASE, PASSKEY], PASSPHRASE, /only one passkey/],
    [[PASSKEY, CODE], CODE, /only one passkey/],
    [[PASSKEY, CODE], PASSKEY, /recovery code alone/],
    [[PASSKEY, OTHER], OTHER, /only one passkey/],
  ])('%# stays', (methods, removed, words) => {
    expect(whyNotRemoved(methods, removed.id)).toMatch(words)
  })

  test.each([
    [[PASSPHRASE, PASSKEY], PASSKEY],
    [[PASSPHRASE, CODE], CODE],
    [[PASSKEY, OTHER, PASSPHRASE], PASSPHRASE],
    [[PASSKEY, CODE, PASSPHRASE], PASSPHRASE],
    [[PASSKEY, OTHER, CODE], CODE],
  ])('%# may go', (methods, removed) => {
    expect(whyNotRemoved(methods, removed.id)).toBeUndefined()
  })
})

describe('kindsOf', () => {
  test('offers what the account has, preferred first', () => {
    expect(kindsOf([CODE, PASSPHRASE, PASSKEY, OTHER], UNLOCKING)).toEqual([
      'passkey',
      'passphrase',
      'recovery_code',
    ])
    expect(kindsOf([CODE, PASSPHRASE], STRONG)).toEqual(['passphrase'])
  })

  test('rules nothing out if the methods can’t be read', () => {
    expect(kindsOf(undefined, STRONG)).toEqual(STRONG)
  })
})
