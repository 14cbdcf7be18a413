import type { TokenRecord } from '@keyhole/vault/token-reader'
import { describe, expect, it } from 'vitest'
import { Matcher } from '../search-index/matcher.ts'
import { readQuery, withFilter } from '../search-index/query.ts'
import { newSearchModule } from '../search-index/test/search-module.ts'
import { TokenIndex } from '../search-index/token-index.ts'
import type { SearchEntry } from '../search-index/token-messages.ts'
import { NOBODY } from '../words/who.ts'
import { paymentEntries } from './entries.ts'
import { marks } from './marks.ts'
import { matchingFields, present } from './present.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000
const granted: TokenRecord = {
  id: 't1',
  token: 'C…',
  type: 'origin',
  issuer: 'did:key:z6MkIssuer',
  audience: 'kh1audience',
  audienceDid: 'did:key:z6MkAudience',
  cid: 'bafyone',
  command: '/msg/send',
  policy: [['==', '.to', 'aunt@example.org']],
  subject: 'did:key:z6MkIssuer',
  expiresAt: NOW + 60 * DAY,
  createdAt: NOW - DAY,
}
const received: TokenRecord = {
  ...granted,
  ...{ id: 't2', cid: 'bafytwo', type: 'received', expiresAt: NOW - 1, createdAt: NOW - 9 * DAY },
  ...{ issuer: 'did:key:z6MkFriend', audienceDid: 'did:key:z6MkIssuer', audience: 'kh1me', policy: [] },
}
const mandate: TokenRecord = {
  ...granted,
  ...{ id: 't3', cid: 'bafythree', command: '/payment/authorize', expiresAt: undefined, createdAt: NOW },
}
const revocation: TokenRecord = {
  ...granted,
  ...{ id: 't4', cid: 'bafyfour', type: 'revocation', command: '/ucan/revoke', revokes: 'bafythree' },
  createdAt: NOW - 2 * DAY,
}
const key: SearchEntry = {
  ...{ id: 'key:k', kind: 'key', title: 'Work', fields: ['P-256', 'did:key:zDnKey'], at: NOW },
  target: { page: 'keys' },
}

function filled(): TokenIndex {
  const index = new TokenIndex(newSearchModule())
  index.add([granted, received, mandate, revocation])
  index.label([
    { id: 't1', label: 'Holiday mails' },
    { id: 't2', label: 'Old door' },
  ])
  index.commands.note('/msg/send', 'send messages')
  return index
}

function ids(text: string, index = filled(), matcher = new Matcher(index)): string[] {
  matcher.entries = [key]
  const found = matcher.matches(readQuery(text).query, NOW)
  return [
    ...found.entries.map(({ id }) => id),
    ...[...found.rows(0, found.total)].map((at) => index.rows[at]?.id ?? ''),
  ]
}

describe('the results', () => {
  it('are everything for an empty query, newest first', () =>
    expect(ids('')).toEqual(['key:k', 't3', 't1', 't4', 't2']))
  it('match words in the name, command, policy, people or CID, in any case', () => {
    expect(ids('HOLIDAY')).toEqual(['t1'])
    expect(ids('/MSG')).toEqual(['t1', 't2'])
    expect(ids('send messages')).toEqual(['t1', 't2'])
    expect(ids('aunt@example')).toContain('t1')
    expect(ids('bafytwo')).toEqual(['t2'])
    expect(ids('zdnkey')).toEqual(['key:k'])
    expect(ids('did:key:z6mkfriend')).toEqual(['t2'])
  })
  it('match every word', () => {
    expect(ids('old holiday')).toEqual([])
    expect(ids('"holiday mails"')).toEqual(['t1'])
    expect(ids('"mails holiday"')).toEqual([])
  })
  it('ignore chance matches of a short word', () => expect(ids('afy')).toEqual([]))
  it('start with matching names', () => {
    const index = filled()
    index.label([{ id: 't2', label: 'about aunt@example.org' }])
    expect(ids('aunt@', index)[0]).toBe('t2')
  })
  it('can be narrowed by kind, status, command, person and date', () => {
    expect(ids('kind:received')).toEqual(['t2'])
    expect(ids('kind:grant')).toEqual(['t3', 't1'])
    expect(ids('kind:mandate')).toEqual(['t3'])
    expect(ids('kind:signed')).toEqual(['t4'])
    expect(ids('kind:key')).toEqual(['key:k'])
    expect(ids('status:ended')).toEqual(['t2'])
    expect(ids('status:live')).toEqual(['t1'])
    expect(ids('status:revoked')).toEqual(['t3'])
    expect(ids('cmd:/payment')).toEqual(['t3'])
    expect(ids('cmd:/pay')).toEqual([])
    expect(ids('from:friend')).toEqual(['t2'])
    expect(ids('to:z6MkAudience kind:grant')).toEqual(['t3', 't1'])
    expect(ids('ends:2026-11-30')).toEqual(['t2'])
    expect(ids('before:2026-11-14')).toEqual(['t2'])
    expect(ids('after:2026-11-14 holiday')).toEqual(['t1'])
  })
  it('follow additions and removals', () => {
    const index = filled()
    index.add([{ ...granted, id: 't5', cid: 'bafyfive' }])
    index.remove(new Set(['t1']))
    expect(ids('cmd:/msg kind:grant', index)).toEqual(['t5'])
    expect(index.sealed(9)).toEqual([])
  })
  it('are the same letter by letter as at once, before and after a change', () => {
    const index = filled()
    const typed = [
      'holiday mails',
      'mails holiday',
      'aunt@example bafy',
      'bafyone',
      'send kind:grant',
      'old door',
    ]
    const beginnings = typed.flatMap((text) => [...text].map((_, at) => text.slice(0, at + 1)))
    const matcher = new Matcher(index)
    const compare = () => {
      for (const text of [...beginnings, ...beginnings.toReversed()])
        expect([text, ids(text, index, matcher)]).toEqual([text, ids(text, index)])
    }
    compare()
    index.label([{ id: 't3', label: 'Holiday of the aunt@example' }])
    compare()
    index.commands.note('/payment/authorize', 'old doors, one by one')
    index.remove(new Set(['t1']))
    compare()
    index.add([{ ...granted, id: 't6', cid: 'bafyonetwo' }])
    compare()
  })
  it('are found among very many, and up to date', () => {
    const index = new TokenIndex(newSearchModule())
    const many = Array.from({ length: 9_000 }, (_, at) => ({
      ...granted,
      ...{ id: `n${at}`, cid: `bafynumber${at}x`, createdAt: NOW - at },
    }))
    index.add(many.slice(0, 5_000))
    index.add(many.slice(5_000))
    index.label([{ id: 'n8191', label: 'The last of its block' }])
    expect(ids('bafynumber4095x kind:grant', index)).toEqual(['n4095'])
    expect(ids('bafynumber4096x kind:grant', index)).toEqual(['n4096'])
    expect(ids('last of its', index)).toEqual(['n8191'])
    index.add([{ ...granted, id: 'n4095', cid: 'bafyanother' }])
    expect(ids('bafynumber4095x', index)).toEqual([])
    expect(ids('bafyanother', index)).toEqual(['n4095'])
    index.remove(new Set(['n0']))
    expect(ids('bafynumber8999x', index)).toEqual(['n8999'])
    expect(ids('last of its', index)).toEqual(['n8191'])
    expect(ids('kind:grant', index)).toHaveLength(8_999)
  })
  it('show the field that matched', () => {
    const { id, type, issuer, audience, cid = '', createdAt } = received
    const token = { ...{ id, type, issuer, audience, cid, createdAt, label: 'Old door', revoked: false } }
    const rest = { audienceDid: 'did:key:z6MkIssuer', subject: null, command: '/msg/send', policy: [] }
    const shown = present({ token: { ...token, ...rest } }, { contacts: NOBODY }, NOW)
    expect(shown?.title).toBe('Old door')
    expect(shown && matchingFields(shown, ['bafytwo'])).toEqual(['bafytwo'])
  })
})

describe('a list', () => {
  const listed = (index: TokenIndex, query: Parameters<TokenIndex['page']>[0]) => {
    const { rows, total } = index.page(query, NOW)
    return { ids: rows.map(({ id }) => id), total }
  }
  it('is soonest to expire first, then those without expiry, then expired ones', () => {
    const index = filled()
    index.add([{ ...granted, id: 't6', cid: 'bafysix', expiresAt: NOW + DAY, createdAt: NOW - 60 * DAY }])
    index.add([{ ...granted, id: 't7', cid: 'bafyseven', expiresAt: NOW - DAY }])
    expect(listed(index, { list: 'given', limit: 9 })).toEqual({ ids: ['t6', 't1', 't3', 't7'], total: 4 })
    expect(listed(index, { list: 'given', limit: 1, offset: 1 })).toEqual({ ids: ['t1'], total: 4 })
    expect(listed(index, { list: 'given', live: true, limit: 9 }).ids).toEqual(['t6', 't1'])
    expect(listed(index, { list: 'mandates', limit: 9 }).ids).toEqual(['t3'])
    expect(listed(index, { list: 'signed', limit: 9 }).ids).toEqual(['t4'])
    expect(index.totals(NOW)).toEqual({ live: 2, soon: 1, long: 0, mandates: 0, given: 4, received: 1 })
    index.add([{ ...granted, id: 't8', cid: 'bafyeight', command: '/payment/request' }])
    index.add([{ ...granted, id: 't9', cid: 'bafynine', command: '/payment/request', expiresAt: NOW - 1 }])
    expect(index.totals(NOW)).toEqual({ live: 3, soon: 1, long: 0, mandates: 1, given: 6, received: 1 })
    const isActive = (cid: string) => index.isActive(index.byCid(cid) ?? expect.fail(), NOW)
    expect(['bafyeight', 'bafynine', 'bafyseven'].map(isActive)).toEqual([true, false, false])
  })
})

it('includes what the vault counts for a mandate, and lists it separately', () => {
  const index = filled()
  index.add([{ ...granted, id: 't8', cid: 'bafyeight', command: '/payment/request' }])
  expect(ids('kind:mandate', index)).toEqual(['t3', 't8'])
  expect(index.page({ list: 'mandates', limit: 9 }, NOW).rows.map(({ id }) => id)).toEqual(['t3'])
})

it('finds a payment by its payee, amount and order', () => {
  const payment = {
    ...{ id: 'bafypay', token: 'C', task: 'bafytask', at: NOW, expiresAt: NOW, issuer: 'did:key:zMe' },
    ...{
      payee: 'did:web:shop.example',
      amount: 1250,
      currency: 'CAD',
      digits: 2,
      order: 'A-17',
      by: 'hand' as const,
    },
  }
  const entries = paymentEntries([payment], NOBODY)
  expect(entries).toMatchObject([
    { title: 'CA$12.50 to shop.example', target: { page: 'payment', cid: 'bafypay' } },
  ])
  for (const text of ['a-17', '12.50', 'shop', 'kind:payment', 'cmd:/payment', 'bafypay']) {
    const matcher = new Matcher(filled())
    matcher.entries = entries
    expect(matcher.matches(readQuery(text).query, NOW).entries, text).toEqual(entries)
  }
  const shop = { id: 'c1', name: 'Corner shop', kind: 'service', isAlike: false }
  const [named] = paymentEntries([payment], { ...NOBODY, named: new Map([[payment.payee, shop]]) })
  expect(named?.title).toBe('CA$12.50 to Corner shop (shop.example)')
  const key = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
  const known = { ...NOBODY, named: new Map([[key, { ...shop, name: 'Anna Berger' }]]) }
  const [toKey] = paymentEntries([{ ...payment, payee: key }], known)
  expect(toKey?.title).toBe('CA$12.50 to Anna Berger (…2doK)')
})

describe('a query', () => {
  it('keeps words that contain a colon', () => {
    const { query, problems } = readQuery('did:key:z6Mk https://shop.example "cmd:/x" 12:30')
    expect(query.words).toEqual(['did:key:z6mk', 'https://shop.example', 'cmd:/x', '12:30'])
    expect(problems).toEqual([])
  })
  it('explains filters without meaning', () => {
    const { query, problems } = readQuery('kind:door colour:red before:tomorrow cmd:pay to: mail')
    expect(query).toEqual({ words: ['mail'] })
    expect(problems.map(({ raw }) => raw)).toEqual([
      'kind:door',
      'colour:red',
      'before:tomorrow',
      'cmd:pay',
      'to:',
    ])
    for (const { why } of problems) expect(why).not.toBe('')
  })
  it('is changed by its filters, with the words unchanged', () => {
    expect(withFilter('mail  kind:key "a b"', 'kind', 'grant')).toBe('mail "a b" kind:grant')
    expect(withFilter('mail kind:key', 'kind', undefined)).toBe('mail')
    expect(readQuery(withFilter('', 'to', 'a b')).query.to).toBe('a b')
  })
  it('of very many words uses some, and says so', () => {
    const { query, problems } = readQuery(Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(' '))
    expect(query.words).toHaveLength(32)
    expect(problems.map(({ raw }) => raw)).toEqual(['w32'])
  })
  it('with an impossible date is explained', () =>
    expect(readQuery('after:2026-02-30').problems).toHaveLength(1))
})

describe('marks', () => {
  it('marks each word, once where they overlap', () => {
    const hits = marks('abcabc', ['bc', 'ab']).filter(({ hit }) => hit)
    expect(hits.map(({ text }) => text)).toEqual(['abcabc'])
    expect(marks('Holiday mails', ['mail', 'hol'])).toEqual([
      { at: 0, text: 'Hol', hit: true },
      { at: 3, text: 'iday ', hit: false },
      { at: 8, text: 'mail', hit: true },
      { at: 12, text: 's', hit: false },
    ])
  })
  it('keeps every letter', () => {
    for (const text of ['', 'İstanbul ẞ', '🔑🔑', 'x'])
      expect(
        marks(text, ['i', 'x'])
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
  })
})
