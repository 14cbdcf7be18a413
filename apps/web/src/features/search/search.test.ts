import type { AccountInfo, KeyInfo, StoredToken } from '@keyhole/vault'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { NOBODY } from '../words/who.ts'
import { find, haystack, matchingFields } from './haystack.ts'
import { marks } from './marks.ts'
import { searchSearch } from './search.ts'

const NOW = Date.UTC(2026, 10, 21)
const token: StoredToken = {
  id: 't1',
  token: 'C…',
  type: 'origin',
  issuer: 'did:key:z6MkIssuer',
  audience: 'kh1audience',
  audienceDid: 'did:key:z6MkAudience',
  cid: 'bafyone',
  command: '/msg/send',
  policy: [],
  subject: 'did:key:z6MkIssuer',
  expiresAt: NOW + 60 * 86_400_000,
  createdAt: NOW,
  label: 'Holiday mails',
}
const ended: StoredToken = {
  ...token,
  id: 't2',
  cid: 'bafytwo',
  type: 'received',
  label: 'Old door',
  expiresAt: NOW - 1,
}
const key: KeyInfo = {
  key_id: 'k',
  key_type: 'p256',
  did: 'did:key:zDnKey',
  label: 'Work',
  created_at: NOW / 1000,
  is_default: true,
  is_first: true,
}
const account: AccountInfo = { address: 'kh1account', active: true, label: 'Personal' }
/** No page shows it. */
const revocation: StoredToken = { ...token, id: 't3', type: 'revocation', label: 'Holiday revoked' }
const HAY = haystack({ tokens: [token, ended, revocation], keys: [key], accounts: [account] }, NOBODY, NOW)
const ids = (
  query: string,
  kind: Parameters<typeof find>[2] = 'all',
  status: Parameters<typeof find>[3] = 'any',
) => find(HAY, query, kind, status).map(({ id }) => id)

describe('find', () => {
  it('finds everything for nothing', () => expect(ids('')).toHaveLength(4))
  it('looks at names, commands, DIDs, CIDs and sentences, in any case', () => {
    expect(ids('holiday')).toEqual(['token:t1'])
    expect(ids('/MSG')).toEqual(['token:t1', 'token:t2'])
    expect(ids('bafytwo')).toEqual(['token:t2'])
    expect(ids('zdnkey')).toEqual(['key:k'])
    expect(ids('send messages')).toEqual(['token:t1', 'token:t2'])
    expect(ids('kh1account')).toEqual(['account:kh1account'])
  })
  it('wants every word', () => expect(ids('old holiday')).toEqual([]))
  it('narrows by kind and status', () => {
    expect(ids('', 'received')).toEqual(['token:t2'])
    expect(ids('', 'all', 'ended')).toEqual(['token:t2'])
    expect(ids('', 'all', 'live')).toEqual(['token:t1'])
  })
  it('shows the field in which it was found', () => {
    const [found] = find(HAY, 'bafyone', 'all', 'any')
    expect(found && matchingFields(found, 'bafyone')).toEqual(['bafyone'])
  })
})

describe('marks', () => {
  it('marks each word, once where they overlap', () => {
    expect(
      marks('abcabc', 'bc ab')
        .filter(({ hit }) => hit)
        .map(({ text }) => text),
    ).toEqual(['abcabc'])
    expect(marks('Holiday mails', 'mail HOL')).toEqual([
      { at: 0, text: 'Hol', hit: true },
      { at: 3, text: 'iday ', hit: false },
      { at: 8, text: 'mail', hit: true },
      { at: 12, text: 's', hit: false },
    ])
  })
  it('keeps every letter', () => {
    for (const text of ['', 'İstanbul ẞ', '🔑🔑', 'x'])
      expect(
        marks(text, 'i x')
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
  })
})

it('drops search parameters that make no sense', () => {
  expect(v.parse(searchSearch, { q: 5, kind: 'nope', status: 'live' })).toEqual({ status: 'live' })
})
