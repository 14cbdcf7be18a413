import { i18n } from '@lingui/core'
import { describe, expect, it } from 'vitest'
import { PASSKEY_REFUSALS } from './passkey.ts'
import { explain, explainText, sentence, tokenRefusal } from './refusal.ts'

const CODES = [
  'VAULT_NOT_INITIALIZED',
  'VAULT_ALREADY_INITIALIZED',
  'VAULT_LOCKED',
  'KEY_NOT_FOUND',
  'INVALID_KEY_TYPE',
  'INVALID_PASSPHRASE',
  'WASM_NOT_LOADED',
  'TIMEOUT',
  'NOT_INITIALIZED',
  'OPERATION_FAILED',
]

describe('explain', () => {
  it.each(CODES)('never shows %s itself', (code) => {
    const words = explainText({ name: 'VaultError', code, message: 'something happened' })
    expect(words).not.toContain(code)
    expect(words.length).toBeGreaterThan(20)
  })

  it('goes by the token error where there is one, and keeps what the engine said', () => {
    const error = {
      name: 'VaultError',
      code: 'OPERATION_FAILED',
      message: 'the proof ended at 5',
      details: { name: 'Expired' },
    }
    expect(explain(error)).toEqual({
      title: 'It has expired.',
      advice: expect.stringMatching(/^The proof ended at 5\. /) as unknown,
    })
  })

  it('reads the engine out: times as dates, DIDs shortened', () => {
    expect(
      sentence(
        'the grant to did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK expired at 1795262823 (seconds since 1970)',
      ),
    ).toMatch(/^The grant to did:key:z6Mkha…ta2doK expired at 21 Nov 2026, \d\d:\d\d\.$/)
  })

  it('passes on how long to wait after wrong passphrases', () => {
    const error = {
      code: 'INVALID_PASSPHRASE',
      message: 'Wrong passphrase: wait 4 seconds before the next try',
    }
    expect(explain(error).advice).toContain('4 seconds')
  })

  it('knows a full disk', () => {
    expect(explain(new DOMException('x', 'QuotaExceededError')).title).toContain('no room')
    expect(
      explain({ code: 'OPERATION_FAILED', message: 'm', cause: { name: 'QuotaExceededError' } }).title,
    ).toContain('no room')
  })

  it.each([undefined, null, 'text', 5, {}, new Error('')])('survives %s', (thrown) => {
    expect(explain(thrown).title).not.toBe('')
  })
})

it('has words for every token error of the format', () => {
  for (const name of [
    'MalformedToken',
    'UnsupportedVersion',
    'InvalidSignature',
    'Expired',
    'TooEarly',
    'InvalidAudience',
    'InvalidSubject',
    'InvalidCommand',
    'InvalidClaim',
    'UnavailableProof',
    'MatchError',
    'Revoked',
    'Replayed',
  ]) {
    expect(tokenRefusal(name)).toBeDefined()
  }
})

it('has words for every way in which a passkey is refused', () => {
  for (const [name, { title, advice }] of Object.entries(PASSKEY_REFUSALS)) {
    const words = explainText({
      name: 'VaultError',
      code: 'OPERATION_FAILED',
      message: 'm',
      details: { name },
    })
    expect(words).toBe(`${i18n._(title)} ${i18n._(advice)}`)
    expect(words).not.toContain(name)
  }
})

it('says of a passphrase that is chosen what it lacks', () => {
  const error = {
    code: 'INVALID_PASSPHRASE',
    message: 'This passphrase is too easy to guess: use more words',
  }
  expect(explain(error).title).toBe('This passphrase is too easy to guess: use more words.')
})
