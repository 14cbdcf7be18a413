import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { type Contacts, type Named, NOBODY, nameWords, signedWho, tailOf, who } from './who.ts'

const ANNA = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const BOB = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const SHOP = 'did:web:shop.example'
const ME = 'did:key:z6MkrbMyA2v2NjPx3xATiVU3UojaGgKrBKs2PvvxSgXJLYy4'

const named = (name: string, isAlike = false): Named => ({ id: name, name, kind: 'person', isAlike })
const KNOWN: Contacts = {
  own: new Set([ME]),
  named: new Map([
    [ANNA, named('Anna')],
    [SHOP, named('The shop')],
    [ME, named('Not me')],
  ]),
  isSealed: false,
}

describe('who', () => {
  it.each([
    ['you', ME, KNOWN, 'you', 'you'],
    ['a contact', ANNA, KNOWN, 'Anna', 'Anna (…2doK)'],
    ['a website with a name', SHOP, KNOWN, 'The shop', 'The shop (did:web:shop.example)'],
    ['an unknown key', BOB, KNOWN, 'Unknown key (…ooWp)', 'Unknown key (…ooWp)'],
    ['an unknown website, whole', 'did:web:a.example', NOBODY, 'did:web:a.example', 'did:web:a.example'],
    ['a key whose name is sealed', ANNA, { ...NOBODY, isSealed: true }, 'Key (…2doK)', 'Key (…2doK)'],
  ])('%s', (_who, did, contacts, word, signed) => {
    expect(who(did, contacts)).toBe(word)
    expect(signedWho(did, contacts)).toBe(signed)
  })

  it('in German by words that are right without an article in every case', () =>
    inGerman(() => {
      expect(who(BOB, KNOWN)).toBe('Schlüssel …ooWp (unbekannt)')
      expect(who(ANNA, { ...NOBODY, isSealed: true })).toBe('Schlüssel …2doK')
    }))

  it('with the end of the key if another name looks alike', () => {
    const contacts = { ...KNOWN, named: new Map([[ANNA, named('Anna', true)]]) }
    expect(who(ANNA, contacts)).toBe('Anna (…2doK)')
  })

  it('shows more of the end if another key there has the same one', () => {
    const [one, other] = ['did:key:z6MkAAAAAAAAAA1234', 'did:key:z6MkBBBBBBBBBX1234']
    expect(tailOf(one, [one, other])).toBe('…AA1234')
    expect(signedWho(one, NOBODY, [one, other])).not.toBe(signedWho(other, NOBODY, [one, other]))
    expect(tailOf(one, [one, SHOP, BOB])).toBe('…1234')
  })
})

describe('a name in a sentence', () => {
  it.each([
    ['Anna', 'Anna'],
    ['Anna-Lena O’Neill', 'Anna-Lena O’Neill'],
    ['Dr. Ng', 'Dr. Ng'],
    ['安娜', '安娜'],
    ['علی رضا', 'علی رضا'],
    ['🦊 fox', '🦊 fox'],
    ['Anna, with no expiry date', '“Anna, with no expiry date”'],
    ['Anna (…f3Jx)', '“Anna (…f3Jx)”'],
    ['Anna lets you do anything you want', '“Anna lets you do anything you want”'],
    ['“Anna” and Bob', '“\\“Anna\\” and Bob”'],
    ['P\u0430ypal', 'P\\u{430}ypal'],
    ['a\u202eb', '“a\\u{202e}b”'],
  ])('%j is %j', (name, words) => expect(nameWords(name)).toBe(words))

  it('is quoted if it is long', () => {
    expect(nameWords('x'.repeat(120))).toBe(`“${'x'.repeat(120)}”`)
  })
})
