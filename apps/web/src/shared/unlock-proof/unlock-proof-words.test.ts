import { VaultError } from '@keyhole/vault'
import { expect, test } from 'vitest'
import { isAboutUnlockProof, unlockProblem, waitUntil } from './unlock-proof-words.ts'

const WRONG = new VaultError('INVALID_PASSPHRASE', 'Wrong.')
const WEAK = new VaultError('INVALID_PASSPHRASE', 'Too short.', {
  ...{ name: 'PassphraseTooShort', args: { least: 12 } },
})
const SOON = new VaultError('OPERATION_FAILED', 'Wait.', { name: 'TooSoon', retryAt: 5_000 })

test('has its own words for each kind of wrong proof', () => {
  expect(unlockProblem(WRONG, 'passphrase')).toContain('Caps Lock')
  expect(unlockProblem(WRONG, 'passkey')).toContain('passkey')
  expect(unlockProblem(WRONG, 'recovery_code')).toContain('recovery code')
})

test('a wait is shown separately', () => {
  expect(waitUntil(SOON)).toBe(5_000)
  expect(unlockProblem(SOON, 'passphrase')).toBeUndefined()
  expect(isAboutUnlockProof(SOON)).toBe(true)
})

test('a new passphrase that is too weak is not reported as a wrong one', () => {
  expect(isAboutUnlockProof(WEAK)).toBe(false)
  expect(unlockProblem(WEAK, 'passphrase')).toContain('at least 12 characters')
})
