import { describe, expect, it } from 'vitest'
import {
  CONTACT_DIDS_MAX,
  CONTACT_NAME_MAX,
  checkDids,
  checkName,
  checkNote,
  cleanContactName,
  cutName,
} from './contact.ts'

const refusal = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })

describe('a stored name', () => {
  it.each([
    ['unchanged', 'Zoë Müller-Ng', 'Zoë Müller-Ng'],
    ['another script', 'Анна Ивановна', 'Анна Ивановна'],
    ['composed', 'Zoe\u0308', 'Zoë'],
    ['without direction marks', 'Anna\u202e gnp\u2066x\u2069\u200f', 'Anna gnpx'],
    ['without zero-width characters', 'A\u200bn\u200dn\u2060a\ufeff\u00ad', 'Anna'],
    ['without invisible fillers', 'Anna\u3164\u115f\uffa0\u180e', 'Anna'],
    ['without tags and variation selectors', 'Anna\u{e0041}\ufe0f\u{e0100}', 'Anna'],
    ['without control characters', 'An\u0000na\u0007', 'Anna'],
    ['on one line', '  Anna\r\n\tB\u00a0\u2003C\u2028D  ', 'Anna B C D'],
    ['with at most three marks', `A${'\u0301'.repeat(50)}`, 'Á\u0301\u0301\u0301'],
    ['without marks that have no letter', '\u0301\u0300 Anna', 'Anna'],
    ['without private-use characters', '\ue000Anna\u{f0000}', 'Anna'],
    ['without half of a surrogate pair', 'Anna\ud800', 'Anna'],
    ['nothing', '\u200b\u202e \u3164', ''],
  ])('%s', (_how, typed, kept) => {
    expect(cleanContactName(typed)).toBe(kept)
    expect(cleanContactName(kept)).toBe(kept)
  })

  it.each([
    ['', 'ContactNameRequired'],
    ['\u200b\u202e', 'ContactNameRequired'],
    ['x'.repeat(CONTACT_NAME_MAX + 1), 'ContactNameTooLong'],
    ['x'.repeat(10_000), 'ContactNameTooLong'],
    ['did:key:z6Mk', 'ContactNameIsDid'],
    ['\u200bDID:web:anna.example', 'ContactNameIsDid'],
    ['ｄｉｄ：key:z6Mk', 'ContactNameIsDid'],
    ['di\u200bd:key:z6Mk', 'ContactNameIsDid'],
  ])('%j is refused: %s', (typed, name) => {
    expect(() => checkName(typed)).toThrow(refusal(name))
  })

  it('is cleaned quickly, however long it is', () => {
    expect(() => checkName('\u200b'.repeat(1_000_000))).toThrow(refusal('ContactNameRequired'))
    expect(cutName(`${'\u0301'.repeat(500_000)}x`)).toBe('')
  })

  it('of a stranger is cut, but not through a character', () => {
    expect(cutName('x'.repeat(10_000))).toHaveLength(CONTACT_NAME_MAX)
    expect(cutName(`${'x'.repeat(CONTACT_NAME_MAX - 1)}👩`)).toBe('x'.repeat(CONTACT_NAME_MAX - 1))
  })
})

describe('DIDs', () => {
  it('are unique and trimmed', () => {
    expect(checkDids([' did:key:zA ', 'did:key:zA', 'did:web:anna.example'], new Set())).toEqual([
      'did:key:zA',
      'did:web:anna.example',
    ])
  })

  it.each([
    [['anna@example.com'], 'ContactDidInvalid'],
    [['did:key:'], 'ContactDidInvalid'],
    [['did:key:z\u200bA'], 'ContactDidInvalid'],
    [[`did:key:z${'A'.repeat(5_000)}`], 'ContactDidInvalid'],
    [['did:key:zMine'], 'ContactDidOwn'],
    [Array.from({ length: CONTACT_DIDS_MAX + 1 }, (_, at) => `did:key:z${at}`), 'ContactDidsTooMany'],
  ])('%j are refused: %s', (dids, name) => {
    expect(() => checkDids(dids, new Set(['did:key:zMine']))).toThrow(refusal(name))
  })
})

it('a note that is too long is refused', () => {
  expect(() => checkNote('x'.repeat(2_001))).toThrow(refusal('ContactNoteTooLong'))
  expect(checkNote('  met in Bern\n ')).toBe('met in Bern')
})
