import type { Mandate, PaymentRecord } from '@keyhole/vault'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { delegationSentence } from '../../shared/grant-words/sentence.ts'
import { budgetWords } from '../../shared/words/payment.ts'
import { NOBODY } from '../../shared/words/who.ts'
import { inGerman } from '../../test/german.ts'
import { failedAmount, filtered, isEverything, spentByPayee, sums } from './history/history.ts'
import { historySearch } from './history/search-params.ts'
import { inOrder, leftOf, mandateState, periodEnd } from './mandates/mandate-state.ts'
import { mandateCapability, spentWords, stateWords, whyNotPaid } from './mandates/mandate-words.ts'
import { readAsked } from './requests/asked-payment.ts'

const NOW = Date.UTC(2026, 10, 18, 12)
const MONDAY = Date.UTC(2026, 10, 23)
const ME = 'did:key:z6MkmeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeME'
const THEM = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
const YOU = { ...NOBODY, own: new Set([ME]) }

const mandate = (change: Partial<Mandate> = {}): Mandate => ({
  ...{
    cid: 'bafyone',
    issuer: ME,
    audience: THEM,
    payees: ['did:web:shop.example'],
    max: 2500,
    currency: 'GBP',
  },
  ...{ digits: 2, createdAt: NOW / 1000 - 86_400 * 10, expiresAt: NOW / 1000 + 86_400 * 30 },
  ...{ suspended: false, ended: false, own: false },
  budget: { period: 'week', amount: 10000, payments: 4 },
  used: { since: MONDAY / 1000 - 7 * 86_400, amount: 6000, payments: 2 },
  total: { since: 0, amount: 6000, payments: 2 },
  remaining: { amount: 4000, payments: 2, until: MONDAY / 1000 },
  ...change,
})

describe('where a mandate stands', () => {
  it.each<[Partial<Mandate>, string]>([
    [{}, 'live'],
    [{ ended: true, suspended: true }, 'ended'],
    [{ expiresAt: NOW / 1000 - 1 }, 'ended'],
    [{ suspended: true }, 'suspended'],
    [{ notBefore: NOW / 1000 + 60 }, 'early'],
    [{ remaining: { amount: 0, payments: 2, until: MONDAY / 1000 } }, 'used'],
    [{ remaining: { amount: 4000, payments: 0, until: MONDAY / 1000 } }, 'used'],
    [{ min: 4001 }, 'used'],
    [{ expiresAt: NOW / 1000 + 3600 }, 'soon'],
  ])('%j: %s', (change, state) => expect(mandateState(mandate(change), NOW)).toBe(state))

  it('has all of its budget again once the period is over, without being read anew', () => {
    const used = mandate({ remaining: { amount: 0, payments: 0, until: MONDAY / 1000 } })
    expect(leftOf(used, MONDAY - 1)).toEqual({ amount: 0, payments: 0, until: MONDAY })
    expect(leftOf(used, MONDAY)).toEqual({ amount: 10000, payments: 4, until: MONDAY + 7 * 86_400_000 })
    expect(mandateState(used, MONDAY)).toBe('live')
  })

  it('counts in UTC: days, weeks from Monday, months', () => {
    const last = Date.UTC(2026, 11, 31, 23, 59, 59)
    expect(periodEnd('day', last)).toBe(Date.UTC(2027, 0, 1))
    expect(periodEnd('month', last)).toBe(Date.UTC(2027, 0, 1))
    expect(periodEnd('week', MONDAY - 1)).toBe(MONDAY)
    expect(periodEnd('week', MONDAY)).toBe(MONDAY + 7 * 86_400_000)
  })

  it('is listed with what waits for the person first, and what is over last', () => {
    const listed = inOrder(
      [
        mandate({ cid: 'over', ended: true }),
        mandate({ cid: 'live' }),
        mandate({ cid: 'waits', suspended: true }),
      ],
      NOW,
    )
    expect(listed.map(({ cid }) => cid)).toEqual(['waits', 'live', 'over'])
  })
})

describe('a mandate in words', () => {
  const said = (each: Mandate) => delegationSentence(mandateCapability(each), YOU, NOW)

  it('says all of its terms', async () => {
    expect(said(mandate())).toMatch(
      /^Budget: at most £100\.00 a week and 4 payments a week\. This vault keeps count\. You let Unknown key \(…THEM\) ask your vault to pay, until 18 Dec 2026, \d\d:00, if the amount is above zero and at most £25\.00, and it is paid in GBP, and it goes to shop\.example\.$/,
    )
    const { expiresAt: _, ...endless } = mandate({
      audience: ME,
      own: true,
      min: 100,
      budget: { period: 'day', payments: 1 },
    })
    expect(said(endless)).toBe(
      'Budget: at most 1 payment a day. This vault keeps count. This vault authorises payments automatically, with no expiry date, if all 4 conditions are met: 1) the amount is at least £1.00; 2) the amount is at most £25.00; 3) it is paid in GBP; 4) it goes to shop.example.',
    )
    await inGerman(() => expect(said(endless)).toContain('1 Zahlung pro Tag'))
  })

  it.each<[Partial<Mandate>, number, RegExp | undefined]>([
    [{}, 2500, undefined],
    [{}, 4001, /^This is more than what is left/],
    [{ ended: true }, 1, /has ended/],
    [{ suspended: true }, 1, /^This mandate is suspended/],
    [{ notBefore: NOW / 1000 + 60 }, 1, /hasn’t started/],
    [{ remaining: { amount: 4000, payments: 0, until: MONDAY / 1000 } }, 1, /used up for now/],
    // The device that counts it knows more, except that it has ended.
    [{ suspended: true, keeper: { id: 'laptop' } }, 1, undefined],
    [{ ended: true, keeper: { id: 'laptop' } }, 1, /has ended/],
  ])('%j, for %s: says before a payment is signed why it can’t be', (change, amount, why) => {
    const said = whyNotPaid(mandate(change), amount, NOW)
    if (why === undefined) expect(said).toBeUndefined()
    else expect(said).toMatch(why)
  })

  it('says what was used, and when there is more', () => {
    const { budget } = mandate()
    expect(spentWords(leftOf(mandate(), NOW), budget, 'GBP')).toEqual({
      amount: '£60.00 of £100.00 used',
      payments: '2 of 4 used',
    })
    expect(budgetWords({ period: 'month', amount: 500 }, 'JPY')).toBe('JP¥500 a month')
    // The mandate's own digits, whatever the list says of its currency now.
    const finer = mandate({ digits: 3 })
    expect(said(finer)).toContain('at most £2.500')
    expect(said(finer)).toContain('£10.000 a week and 4 payments a week')
    expect(spentWords(leftOf(finer, NOW), finer.budget, 'GBP', 3).amount).toBe('£6.000 of £10.000 used')
    expect(stateWords(mandate(), 'used', MONDAY, NOW)).toBe('used up, resets in 5 days')
    expect(stateWords(mandate(), 'ended', MONDAY, NOW)).toBe('revoked')
  })
})

const payment = (id: string, change: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...{ id, token: 'C', task: 'bafytask', at: NOW, expiresAt: NOW + 300_000, issuer: ME, by: 'hand' },
  ...{ payee: 'did:web:shop.example', amount: 1250, currency: 'GBP', digits: 2, order: id },
  ...change,
})
const PAYMENTS = [
  payment('hand'),
  payment('asked', { by: 'request', mandate: 'bafyone', amount: 500 }),
  payment('again', { by: 'request', mandate: 'bafyone', amount: 700, at: NOW - 86_400_000 * 3 }),
  payment('euro', {
    ...{ by: 'mandate', mandate: 'bafytwo', payee: 'did:web:other.example', currency: 'EUR' },
    receipt: { token: 'C', at: NOW, outcome: 'ok' },
  }),
]

describe('the history', () => {
  it.each([
    [{}, ['hand', 'asked', 'again', 'euro']],
    [{ payee: 'did:web:other.example' }, ['euro']],
    [{ currency: 'GBP', under: 'bafyone' }, ['asked', 'again']],
    [{ under: 'hand' }, ['hand']],
    [{ receipt: 'ok' as const }, ['euro']],
    [{ receipt: 'none' as const, from: '2026-11-17' }, ['hand', 'asked']],
    [{ to: '2026-11-17' }, ['again']],
    [{ from: 'never' }, ['hand', 'asked', 'again', 'euro']],
  ])('%j', (filter, ids) => expect(filtered(PAYMENTS, filter).map(({ id }) => id)).toEqual(ids))

  it('adds up by payee and by currency, exactly', () => {
    expect(spentByPayee(PAYMENTS, 'bafyone')).toEqual([
      { payee: 'did:web:shop.example', currency: 'GBP', digits: 2, amount: 1200, payments: 2, failed: 0 },
    ])
    expect(sums(PAYMENTS)).toEqual([
      { currency: 'EUR', digits: 2, minor: 1250n },
      { currency: 'GBP', digits: 2, minor: 2450n },
    ])
    const large = payment('large', { amount: Number.MAX_SAFE_INTEGER })
    const minor = 2n * BigInt(Number.MAX_SAFE_INTEGER)
    expect(sums([large, large])).toEqual([{ currency: 'GBP', digits: 2, minor }])
    // Whole pounds and pence are never one sum.
    expect(sums([payment('old', { digits: 0 }), payment('new', {})]).map(({ digits }) => digits)).toEqual([
      0, 2,
    ])
  })

  it('names apart what failed, which a budget counts too', () => {
    const failed = payment('failed', {
      ...{ by: 'request', mandate: 'bafyone', amount: 300 },
      receipt: { token: 'C', at: NOW, outcome: 'error' },
    })
    expect(spentByPayee([...PAYMENTS, failed], 'bafyone')).toMatchObject([
      { amount: 1500, payments: 3, failed: 1 },
    ])
    expect(failedAmount([...PAYMENTS, failed])).toBe(300)
    expect(failedAmount(PAYMENTS)).toBe(0)
  })

  it('is narrowed by the address, which is never trusted', () => {
    const read = (search: unknown) => v.parse(v.object(historySearch), search)
    const asked = { payee: 'did:web:localhost%3A1', receipt: 'ok', under: 'hand' }
    expect(read(asked)).toEqual(asked)
    expect(isEverything(read(asked))).toBe(false)
    const odd = { payee: '<b>', currency: 'pounds', receipt: 1, under: '..', from: '1' }
    expect(isEverything(read(odd))).toBe(true)
    expect(isEverything({ payee: undefined })).toBe(true)
  })
})

describe('readAsked', () => {
  const args = { payee: 'did:web:shop.example', amount: 1250, currency: 'GBP', order: 'A-1' }
  const held = {
    ...{
      valid: true as const,
      cid: 'bafyr',
      expires_at: NOW / 1000 + 300,
      task: 'bafyt',
      command: '/payment/request',
    },
    ...{ args, subject: ME, issuer: THEM, chain: [] },
  }
  it('reads what is asked for', () => {
    const chain = [
      {
        ...{ cid: 'bafyone', issuer: ME, audience: THEM, subject: ME, command: '/payment/request' },
        ...{ policy: [], not_before: null, expires_at: null },
      },
    ]
    expect(readAsked({ ...held, chain })).toEqual({
      asked: { requester: THEM, subject: ME, ...args, expiresAt: NOW + 300_000, proofs: ['bafyone'] },
    })
  })

  it.each([
    ['another command', { ...held, command: '/payment/authorize' }],
    ['more than a payment', { ...held, args: { ...args, note: 'x' } }],
    ['an unknown currency', { ...held, args: { ...args, currency: 'XQQ' } }],
    ['no whole amount', { ...held, args: { ...args, amount: 12.5 } }],
    ['a negative amount', { ...held, args: { ...args, amount: -1 } }],
    ['a refusal', { valid: false as const, error: { name: 'Expired', message: 'It expired', cid: null } }],
  ])('refuses %s in words', (_, result) => {
    const read = readAsked(result as Parameters<typeof readAsked>[0])
    expect(read).toHaveProperty('title')
    expect(read).toHaveProperty('advice')
  })
})
