import { describe, expect, it } from 'vitest'
import { EMPTY_MANDATE, mandatePolicy, mandateTemplates, readMandate } from './mandate.ts'

const NOW = Date.UTC(2026, 10, 21)
const DID = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'

describe('readMandate', () => {
  it('makes a policy of amount, currency and payee, in minor units', () => {
    const read = readMandate({ ...EMPTY_MANDATE, audience: DID, most: '25.50', payee: 'Corner Shop' }, NOW)
    expect(read).toMatchObject({
      ok: true,
      policy: [
        ['>', '.amount', 0],
        ['<=', '.amount', 2550],
        ['==', '.currency', 'GBP'],
        ['==', '.payee', 'Corner Shop'],
      ],
    })
  })

  it('counts by the currency, and leaves the payee open when none is named', () => {
    const read = readMandate({ ...EMPTY_MANDATE, audience: DID, currency: 'jpy', most: '2500' }, NOW)
    expect(read.policy).toEqual([
      ['>', '.amount', 0],
      ['<=', '.amount', 2500],
      ['==', '.currency', 'JPY'],
    ])
  })

  it.each([
    [{ audience: 'bob' }, 'audience'],
    [{ currency: 'XQQ' }, 'currency'],
    [{ most: '' }, 'most'],
    [{ most: '0' }, 'most'],
    [{ most: '1.234' }, 'most'],
    [{ expiry: 'on' as const, expiresOn: '' }, 'expiry'],
  ])('says what is wrong with %j', (change, name) => {
    const read = readMandate({ ...EMPTY_MANDATE, audience: DID, most: '5', ...change }, NOW)
    expect(read.ok).toBe(false)
    expect(read.problems).toHaveProperty(name)
  })

  it('keeps amounts past 2^53 exactly', () => {
    expect(mandatePolicy(10n ** 18n, 'GBP', '')[1]).toEqual(['<=', '.amount', 10n ** 18n])
  })

  it.each(mandateTemplates())('$name is a mandate once it has an audience', ({ fill }) => {
    expect(readMandate({ ...EMPTY_MANDATE, audience: DID, ...fill }, NOW).ok).toBe(true)
  })
})
