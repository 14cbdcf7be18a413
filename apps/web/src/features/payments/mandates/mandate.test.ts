import { describe, expect, it } from 'vitest'
import { parseMoney } from '../../../shared/words/payment.ts'
import { inGerman } from '../../../test/german.ts'
import {
  EMPTY_MANDATE,
  exampleAmounts,
  isCounted,
  type MandateDraft,
  mandatePolicy,
  readMandate,
} from './mandate.ts'
import { mandateTemplates } from './mandate-templates.ts'
import { payeeOf, readPayees } from './payee.ts'

const NOW = Date.UTC(2026, 10, 21)
const DID = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
const draft = (change: Partial<MandateDraft>): MandateDraft => ({
  ...EMPTY_MANDATE,
  audience: DID,
  most: '25.50',
  total: '100',
  payees: 'shop.example',
  ...change,
})

describe('readMandate', () => {
  it('makes terms in minor units, and the policy of one payment', () => {
    const read = readMandate(draft({ payees: 'shop.example', times: '4', least: '1' }), NOW)
    expect(read).toMatchObject({
      ok: true,
      ...{ currency: 'GBP', payees: ['did:web:shop.example'], min: 100, max: 2550 },
      budget: { period: 'week', amount: 10000, payments: 4 },
      expiresAt: NOW / 1000 + 30 * 86_400,
      notBefore: undefined,
      policy: [
        ['>=', '.amount', 100],
        ['<=', '.amount', 2550],
        ['==', '.currency', 'GBP'],
        ['==', '.payee', 'did:web:shop.example'],
      ],
    })
  })

  it('counts by the currency, and leaves the payee open where any shop is chosen', () => {
    const read = readMandate(
      draft({ currency: 'jpy', most: '2500', total: '', times: '1', shops: 'any', payees: 'shop.example' }),
      NOW,
    )
    expect(read.ok).toBe(true)
    expect(read.budget).toEqual({ period: 'week', payments: 1 })
    expect(read.policy).toEqual([
      ['>', '.amount', 0],
      ['<=', '.amount', 2500],
      ['==', '.currency', 'JPY'],
    ])
  })

  it.each([
    ['GBP', '25.00', '25,00', 2_500n, 'mit höchstens 2 Dezimalstellen'],
    ['EUR', '25.00', '25,00', 2_500n, 'mit höchstens 2 Dezimalstellen'],
    ['KWD', '25.000', '25,000', 25_000n, 'mit höchstens 3 Dezimalstellen'],
    ['JPY', '2500', '2500', 2_500n, 'ohne Dezimalstellen'],
  ])('shows an amount in %s as it is typed, and reads it as that', async (currency, en, de, minor, rule) => {
    const problem = () => readMandate(draft({ currency, most: 'x' }), NOW).problems.most
    expect(exampleAmounts(currency).one).toBe(en)
    expect(parseMoney(en, currency)).toBe(minor)
    expect(problem()).toContain(`An amount like ${en}, `)
    await inGerman(() => {
      const { one, all } = exampleAmounts(currency)
      expect(one).toBe(de)
      expect(parseMoney(one, currency)).toBe(minor)
      expect(parseMoney(all, currency)).toBe(minor * 4n)
      expect(problem()).toBe(`Ein Betrag wie ${de}, ${rule}.`)
    })
  })

  it('takes one of several payees', () => {
    expect(mandatePolicy({ max: 1, currency: 'EUR', payees: ['did:web:a.b', 'did:web:c.d'] })[3]).toEqual([
      'or',
      [
        ['==', '.payee', 'did:web:a.b'],
        ['==', '.payee', 'did:web:c.d'],
      ],
    ])
  })

  it.each<[Partial<MandateDraft>, string]>([
    [{ audience: 'bob' }, 'audience'],
    [{ currency: 'XQQ' }, 'currency'],
    [{ most: '' }, 'most'],
    [{ most: '0' }, 'most'],
    [{ most: '1.234' }, 'most'],
    [{ most: '90071992547409.92' }, 'most'],
    [{ least: '26' }, 'least'],
    [{ least: 'some' }, 'least'],
    [{ total: '' }, 'total'],
    [{ total: '0.50', least: '1' }, 'total'],
    [{ times: '0' }, 'times'],
    [{ times: '1.5' }, 'times'],
    [{ payees: 'Corner Shop' }, 'payees'],
    [{ payees: ' ' }, 'payees'],
    [{ most: '100.01' }, 'most'],
    [{ begin: 'on', beginsOn: '' }, 'begin'],
    [{ begin: 'on', beginsOn: '2026-11-23T00:00', expiry: '24h' }, 'expiry'],
    [{ expiry: 'on', expiresOn: '' }, 'expiry'],
  ])('says what is wrong with %j', (change, name) => {
    const read = readMandate(draft(change), NOW)
    expect(read.ok).toBe(false)
    expect(Object.keys(read.problems)).toEqual([name])
  })

  it('says that a payment cannot be larger than the budget', () => {
    expect(readMandate(draft({ most: '100.01' }), NOW).problems).toEqual({
      most: 'This is more than the whole budget, £100.00: no payment could be as large.',
    })
    expect(readMandate(draft({ most: '100' }), NOW).ok).toBe(true)
  })

  it('needs no DID for what the vault does by itself, and no budget where nobody counts', () => {
    expect(readMandate(draft({ by: 'itself', audience: '', payees: 'shop.example' }), NOW).ok).toBe(true)
    expect(readMandate(draft({ by: 'itself', audience: '', payees: ' ' }), NOW).problems).toEqual({
      payees: 'Name each site it may pay. You won’t be asked before it does.',
    })
    expect(readMandate(draft({ by: 'itself', audience: '', counted: 'each', total: '' }), NOW).ok).toBe(false)
    expect(readMandate(draft({ counted: 'each', total: '' }), NOW).ok).toBe(true)
    expect(isCounted(draft({ counted: 'each' }))).toBe(false)
  })

  it.each(mandateTemplates({ ...EMPTY_MANDATE, audience: DID, payees: 'shop.example' }))(
    '$name is a mandate once it has an audience and a site',
    (template) => {
      expect(readMandate(template.draft, NOW).problems).toEqual({})
      for (const currency of ['JPY', 'KWD'])
        expect(readMandate({ ...template.draft, currency }, NOW).ok).toBe(true)
    },
  )
})

describe('payees', () => {
  it.each([
    ['shop.example', 'did:web:shop.example'],
    [' https://Shop.Example/cart?x=1 ', 'did:web:shop.example'],
    ['shop.example:8443', 'did:web:shop.example%3A8443'],
    ['https://shop.example:443', 'did:web:shop.example'],
    ['http://localhost:4610', 'did:web:localhost%3A4610'],
    ['did:web:shop.example', 'did:web:shop.example'],
    // A homograph is shown as the ASCII that is compared, and is another shop.
    ['p\u0430y.example', 'did:web:xn--py-7kc.example'],
  ])('%s → %s', (text, did) => expect(payeeOf(text)).toBe(did))

  it.each([
    ...['Corner', 'http://shop.example', 'ftp://shop.example', 'https://me:pw@shop.example', 'did:key:z6Mk'],
    ...['did:web:shop.example:path', 'https://', ''],
  ])('%s is none', (text) => expect(payeeOf(text)).toBeUndefined())

  it('are a list, each once', () => {
    expect(readPayees('b.example, a.example;\nhttps://b.example ')).toEqual({
      payees: ['did:web:b.example', 'did:web:a.example'],
    })
    expect(readPayees('')).toEqual({ payees: [] })
    expect(readPayees('a.example, nope')).toHaveProperty('problem')
    expect(readPayees(Array.from({ length: 33 }, (_, at) => `s${at}.example`).join())).toHaveProperty(
      'problem',
    )
  })

  it.each(['shop. example.com', 'a.example b.example', 'a.example/ b.example, c.example'])(
    'are never two because of a space: %s',
    (text) => {
      const [whole = ''] = text.split(',')
      expect(readPayees(text)).toEqual({
        problem: `“${whole}” isn’t a web address. Write it like shop.example.`,
      })
    },
  )
})
