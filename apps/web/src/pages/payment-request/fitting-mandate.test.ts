import type { Mandate, PaymentTerms } from '@keyhole/vault'
import { expect, it } from 'vitest'
import { fittingMandate } from './fitting-mandate.ts'

const NOW = Date.UTC(2026, 10, 21)
const SECONDS = NOW / 1000
const VAULT = 'did:key:z6MkvaultVaultVaultVaultVaultVaultVaultVaultVAULT'
const TERMS: PaymentTerms = {
  ...{ payee: 'did:web:shop.example', amount: 2_500, currency: 'GBP', digits: 2, order: 'A-1' },
}

const mandate = (change: Partial<Mandate> = {}): Mandate => ({
  ...{
    cid: 'bafyone',
    issuer: VAULT,
    audience: VAULT,
    payees: [TERMS.payee],
    max: 5_000,
    currency: 'GBP',
    digits: 2,
  },
  ...{ budget: { period: 'week', amount: 10_000 }, createdAt: SECONDS - 60 },
  used: { since: SECONDS - 60, amount: 0, payments: 0 },
  total: { since: SECONDS - 60, amount: 0, payments: 0 },
  remaining: { amount: 10_000, until: SECONDS + 86_400 },
  ...{ suspended: false, ended: false, own: true },
  ...change,
})

const find = (...mandates: Mandate[]) => fittingMandate(mandates, TERMS, NOW)

it('pays under the vault’s own mandate that allows it, to the last penny and the last payment', () => {
  expect(find(mandate())).toEqual({ mandate: mandate() })
  const last = mandate({
    ...{ min: 2_500, max: 2_500, payees: ['did:web:tea.example', TERMS.payee] },
    remaining: { amount: 2_500, payments: 1, until: SECONDS + 1 },
    ...{ notBefore: SECONDS, expiresAt: SECONDS + 1 },
  })
  expect(find(last)).toEqual({ mandate: last })
})

it.each<[string, Partial<Mandate>]>([
  ['of someone else', { own: false }],
  ['that has ended', { ended: true }],
  ['in another currency', { currency: 'EUR' }],
  ['for less', { max: 2_499 }],
  ['for more', { min: 2_501 }],
  ['for another payee', { payees: ['did:web:shop.example.evil.example'] }],
  ['that names no payee', { payees: [] }],
  ['for another port of the host', { payees: ['did:web:shop.example%3A8443'] }],
  ['that has not started', { notBefore: SECONDS + 1 }],
  ['that is over', { expiresAt: SECONDS }],
])('no mandate %s', (_what, change) => {
  expect(find(mandate(change))).toBeUndefined()
  // Suspending it adds no message: it would not have paid this anyway.
  expect(find(mandate({ ...change, suspended: true }))).toBeUndefined()
})

it.each<[string, Partial<Mandate>, string]>([
  ['is suspended', { suspended: true }, 'suspended'],
  ['has a penny too little left', { remaining: { amount: 2_499, until: SECONDS } }, 'used up'],
  ['has no payment left', { remaining: { payments: 0, until: SECONDS } }, 'used up'],
  [
    'has money, but no payment left',
    { remaining: { amount: 9_000, payments: 0, until: SECONDS } },
    'used up',
  ],
])('is blocked if it %s, unless another one pays', (_what, change, hindrance) => {
  const hindered = mandate(change)
  expect(find(hindered)).toEqual({ mandate: hindered, hindrance })
  const other = mandate({ cid: 'bafytwo' })
  expect(find(hindered, other)).toEqual({ mandate: other })
})

it('finds none without mandates', () => {
  expect(find()).toBeUndefined()
})
