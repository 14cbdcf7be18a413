import { VaultError } from '@keyhole/vault'
import { expect, test } from 'vitest'
import { isAboutProof, proofProblem, waitUntil } from './proof-words.ts'

const WRONG = new VaultError('INVALID_PASSPHRASE', 'Wrong.')
const WEAK = new VaultError('INVALID_PASSPHRASE', 'Too short.', {
  ...{ name: 'PassphraseTooShort', args: { least: 12 } },
})
const SOON = new VaultError('OPERATION_FAILED', 'Wait.', { name: 'TooSoon', retryAt: 5_000 })

test('says of each kind that it was wrong, in words of its own', () => {
  expect(proofProblem(WRONG, 'passphrase')).toContain('Caps Lock')
  expect(proofProblem(WRONG, 'passkey')).toContain('passkey')
  expect(proofProblem(WRONG, 'recovery_code')).toContain('recovery code')
})

test('a wait is shown apart', () => {
  expect(waitUntil(SOON)).toBe(5_000)
  expect(proofProblem(SOON, 'passphrase')).toBeUndefined()
  expect(isAboutProof(SOON)).toBe(true)
})

test('a new passphrase that is too weak is not taken for a wrong one', () => {
  expect(isAboutProof(WEAK)).toBe(false)
  expect(proofProblem(WEAK, 'passphrase')).toContain('at least 12 characters')
})
