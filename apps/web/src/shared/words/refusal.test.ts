import { i18n } from '@lingui/core'
import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { explain, explainText, sentence, tokenRefusal } from './refusal.ts'
import { PASSKEY_REFUSALS } from './refusals/passkey.ts'
import { REFUSALS } from './refusals/words.ts'

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
      code: 'OPERATION_FAILED',
      message: 'm',
      details: { name: 'TooSoon', args: { failures: 3, seconds: 4 }, retryAt: 5_000 },
    }
    expect(explain(error).advice).toContain('4 seconds')
  })

  it('knows a full disk', () => {
    expect(explain(new DOMException('x', 'QuotaExceededError')).title).toContain('no room')
    expect(
      explain({ code: 'OPERATION_FAILED', message: 'm', cause: { name: 'QuotaExceededError' } }).title,
    ).toContain('no room')
    expect(explain({ code: 'OPERATION_FAILED', details: { name: 'StorageFull' } }).title).toContain('no room')
  })

  it.each([undefined, null, 'text', 5, {}, new Error('')])('survives %s', (thrown) => {
    expect(explain(thrown).title).not.toBe('')
  })
})

/** A refusal by the engine, as the vault raises it. */
const refusal = (message: string, name?: string) => ({
  ...{ name: 'VaultError', code: 'OPERATION_FAILED', message },
  details: { code: 'OPERATION_FAILED', ...(name !== undefined && { name }) },
})

describe('what a person has given, and was refused', () => {
  const GIVEN = [
    'This is no Keyhole backup, or it is cut off.',
    'This is no Keyhole backup, or one of a version that needs a newer Keyhole.',
    'This backup is damaged: its checksum is wrong. Try another copy of the file.',
    'This is the backup of another account. Lock this one first, then restore the backup beside it.',
    'A backup is at most 64 MiB long.',
    'A character of the recovery code is mistyped: compare it with what was kept.',
    'A recovery code has 27 characters: some are missing, or there are too many.',
    'Word 3 is not on the English list of BIP-39: is it mistyped?',
    'A phrase has 12, 15, 18, 21 or 24 words, and this one has 11: is one missing, or there twice?',
    'The words do not fit each other: one is another of the list, or two have changed places.',
  ]

  it.each(GIVEN)('is in the language of the moment, and not mended by reloading: %s', async (message) => {
    const english = explainText(refusal(message))
    expect(english).not.toMatch(/reload/)
    await inGerman(() => {
      const { title, advice } = explain(refusal(message))
      expect(english).not.toContain(title)
      expect(english).not.toContain(advice)
      expect(`${title} ${advice}`).not.toMatch(/neu laden|lade .* neu/i)
    })
  })

  it('is known in the language of the moment where its name says more', async () => {
    const damaged = refusal(
      'This container of tokens is damaged, cut off, or too large when unpacked.',
      'MalformedToken',
    )
    expect(explainText(damaged)).toContain('This container of tokens is damaged')
    await inGerman(() => expect(explainText(damaged)).not.toMatch(/container of tokens|reload/))
  })

  it('is told as the engine said it where its text is not known, without a way to a page that is as good', () => {
    expect(explain(refusal('this is a public key, without its private half'))).toEqual({
      title: 'This is a public key, without its private half.',
      advice: 'Nothing was changed.',
    })
  })

  it('hides a list of what does not parse', () => {
    const error = {
      ...{ code: 'OPERATION_FAILED', details: { reason: '× Invalid type: Expected string' } },
      message: 'This backup holds records that cannot be read. Nothing was imported.',
    }
    expect(explain(error).title).toBe('This backup holds records that cannot be read.')
  })
})

it.each([
  new TypeError('undefined is not a function'),
  { code: 'OPERATION_FAILED', message: 'No output from plugin' },
  { code: 'OPERATION_FAILED', message: 'm', details: { code: 'OPERATION_FAILED', reason: 'unreachable' } },
])('a fault of the program is what a reload may mend: %s', (error) => {
  expect(explain(error).advice).toContain('reload the page')
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
  const chosen = (name: string, args = {}) => ({ code: 'INVALID_PASSPHRASE', details: { name, args } })
  expect(explain(chosen('PassphraseTooEasy')).title).toBe('This passphrase is too easy to guess.')
  expect(explain(chosen('PassphraseTooShort', { least: 12 })).advice).toContain('12 characters')
  expect(explain(chosen('PassphraseTooLong', { most: 1024 })).advice).toMatch(/1,?024 bytes/)
})

it('has words of each language for every name, and says none of the names', async () => {
  const args = { failures: 3, seconds: 4, least: 12, most: 1024 }
  const said = () => [...REFUSALS.keys()].map((name) => [name, explain({ details: { name, args } })] as const)
  const english = new Map(said())
  for (const [name, { title, advice }] of english)
    expect(`${title} ${advice}`).not.toMatch(new RegExp(`${name}|undefined|NaN`))
  await inGerman(() => {
    for (const [name, { title, advice }] of said()) {
      expect(title).not.toBe(english.get(name)?.title)
      expect(advice).not.toBe(english.get(name)?.advice)
    }
  })
})
