import { i18n } from '@lingui/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { explain, explainRule, explainText, InWords, refusalTitle } from './explain-refusal.ts'
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

  it('uses the token error if there is one, and its arguments', () => {
    const error = {
      name: 'VaultError',
      code: 'OPERATION_FAILED',
      message: 'the proof ended at 5',
      details: { name: 'Expired', args: { expected: 1_795_262_823 } },
    }
    expect(explain(error)).toEqual({
      title: 'It has expired.',
      advice: expect.stringMatching(/^It expired on 21 Nov 2026, \d\d:\d\d\. Ask /) as unknown,
    })
  })

  it('says what a rule compared: moments as dates, DIDs shortened, commands as they are', () => {
    const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
    expect(explainRule({ name: 'Expired', expected: 1_795_262_823, found: 1 }).advice).toMatch(
      /^It expired on 21 Nov 2026, \d\d:\d\d\. Ask/,
    )
    expect(
      explainRule({ name: 'InvalidAudience', expected: did, found: 'did:web:bob.example' }).advice,
    ).toMatch(/^Expected: did:key:z6Mkha…ta2doK\. Found: did:web:bob\.example\. /)
    expect(explainRule({ name: 'InvalidCommand', expected: '/msg', found: '/m\u202egs' }).advice).toMatch(
      /^Expected: \/msg\. Found: \/m\\u\{202e\}gs\. /,
    )
    expect(explainRule({ name: 'MatchError', expected: ['==', '.to', 1], found: null })).toEqual(
      explainRule({ name: 'MatchError' }),
    )
  })

  it('says how long to wait after wrong passphrases', () => {
    const error = {
      code: 'OPERATION_FAILED',
      message: 'm',
      details: { name: 'TooSoon', args: { failures: 3, seconds: 4 }, retryAt: 5_000 },
    }
    expect(explain(error).advice).toContain('4 seconds')
  })

  it('shows the client’s own sentences unchanged', () => {
    expect(explain(new InWords('Paste the key first.'))).toEqual({
      title: 'Paste the key first.',
      advice: 'Nothing was changed.',
    })
  })

  it('recognises a full disk', () => {
    expect(explain(new DOMException('x', 'QuotaExceededError')).title).toContain('no space')
    expect(
      explain({ code: 'OPERATION_FAILED', message: 'm', cause: { name: 'QuotaExceededError' } }).title,
    ).toContain('no space')
    expect(explain({ code: 'OPERATION_FAILED', details: { name: 'StorageFull' } }).title).toContain(
      'no space',
    )
  })

  it.each([undefined, null, 'text', 5, {}, new Error('')])('survives %s', (thrown) => {
    expect(explain(thrown).title).not.toBe('')
  })
})

/** A refusal by the engine, as the vault throws it. */
const refusal = (name: string, args: object = {}) => ({
  ...{ name: 'VaultError', code: 'OPERATION_FAILED', message: 'The engine said this.' },
  details: { code: 'OPERATION_FAILED', name, args },
})

describe('a person’s input that was refused', () => {
  const GIVEN: readonly (readonly [string, object])[] = [
    ['NotBackup', {}],
    ['BackupVersion', {}],
    ['BackupDamaged', {}],
    ['ImportOfOtherAccount', {}],
    ['BackupTooLong', {}],
    ['RecoveryCodeMistyped', {}],
    ['RecoveryCodeLength', {}],
    ['WordUnknown', { place: 3 }],
    ['WordCount', { count: 11 }],
    ['WordsDoNotFit', {}],
    ['PublicKeyOnly', {}],
    ['KeyTypeOther', { expected: 'p256', found: 'ed25519' }],
  ]

  it.each(GIVEN)('is in the current language, and does not suggest reloading: %s', async (name, args) => {
    const english = explainText(refusal(name, args))
    expect(english).not.toMatch(/reload|The engine said/)
    for (const value of Object.values(args)) expect(english).toContain(String(value))
    await inGerman(() => {
      const { title, advice } = explain(refusal(name, args))
      expect(english).not.toContain(title)
      expect(english).not.toContain(advice)
      expect(`${title} ${advice}`).not.toMatch(/neu laden|lade .* neu|The engine said/i)
    })
  })

  it('shows its reason if that says more', async () => {
    const damaged = refusal('MalformedToken', { why: 'ContainerDamaged' })
    expect(explainText(damaged)).toContain('This token is damaged')
    await inGerman(() => expect(explainText(damaged)).not.toMatch(/This token|reload/))
  })

  it('does not list parse errors', () => {
    const error = {
      ...{ code: 'OPERATION_FAILED', message: 'm' },
      details: { name: 'BackupUnreadable', reason: '× Invalid type: Expected string' },
    }
    expect(explain(error).title).toBe('This backup holds records that cannot be read.')
  })
})

it.each([
  new TypeError('undefined is not a function'),
  { code: 'OPERATION_FAILED', message: 'No output from plugin' },
  { code: 'OPERATION_FAILED', message: 'm', details: { code: 'OPERATION_FAILED', reason: 'unreachable' } },
])('suggests a reload for a program error: %s', (error) => {
  expect(explain(error).advice).toContain('reload the page')
})

describe('an engine that did not start', () => {
  const error = { code: 'WASM_NOT_LOADED', message: 'm', details: { name: 'EnclaveNotStarted', args: {} } }

  it('is loaded again where the browser can run it', () => {
    expect(explain(error).advice).toContain('reload the page')
  })

  it.each([
    ['lacks some instructions', () => vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)],
    ['has no WebAssembly', () => vi.stubGlobal('WebAssembly', undefined)],
  ])('is not blamed on the connection where the browser %s', async (_what, lack) => {
    onTestFinished(() => {
      vi.restoreAllMocks()
      vi.unstubAllGlobals()
    })
    lack()
    expect(explain(error).advice).toMatch(/^This browser can’t run it\b/)
    expect(explain(error).advice).not.toContain('reload')
    await inGerman(() => expect(explain(error).advice).toMatch(/^Dieser Browser /))
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
    expect(refusalTitle(name)).toBeDefined()
  }
})

it('has words for every passkey refusal', () => {
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

it('says what a new passphrase lacks', () => {
  const chosen = (name: string, args = {}) => ({ code: 'INVALID_PASSPHRASE', details: { name, args } })
  expect(explain(chosen('PassphraseTooEasy')).title).toBe('This passphrase is too easy to guess.')
  expect(explain(chosen('PassphraseTooShort', { least: 12 })).advice).toContain('12 characters')
  expect(explain(chosen('PassphraseTooLong', { most: 1024 })).advice).toMatch(/1,?024 bytes/)
})

it('has words in each language for every name, and shows none of the names', async () => {
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
