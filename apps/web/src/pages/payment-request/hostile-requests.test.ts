// Payments that no honest site asks for. The enclave reads them as a payment window would. None must become terms that can be approved, and
// the answer must not depend on a vault.
import { KeyVault } from '@keyhole/vault'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Asked } from './worker-messages.ts'

const ASKED: Asked = { origin: 'https://shop.example', value: '25.00', currency: 'GBP', order: 'A-1' }

const AMOUNTS: readonly (readonly [what: string, value: string, currency: string])[] = [
  ['nothing', '0', 'GBP'],
  ['nothing, to the penny', '0.00', 'GBP'],
  ['more than any integer of 64 bits', '99999999999999999999', 'GBP'],
  ['a penny more than can be kept exactly', '90071992547409.92', 'GBP'],
  ['zeros alone', '000.0', 'GBP'],
  ['half a penny', '25.005', 'GBP'],
  ['an extra zero', '25.000', 'GBP'],
  ['half a yen', '2500.5', 'JPY'],
  ['a tenth of a fils', '25.0001', 'KWD'],
  ['an unknown currency', '25.00', 'XYZ'],
  ['no currency', '25.00', 'XXX'],
  ['a currency for tests', '25.00', 'XTS'],
  ['gold', '25.00', 'XAU'],
  ['a unit of account', '25.00', 'XDR'],
  ['a currency of the past', '25.00', 'HRK'],
  // Chromium stops these itself. Other browsers may not.
  ['less than nothing', '-25.00', 'GBP'],
  ['an exponent', '1e3', 'GBP'],
  ['no number', 'NaN', 'GBP'],
  ['no end', 'Infinity', 'GBP'],
  ['a comma', '25,00', 'GBP'],
  ['a point alone', '.', 'GBP'],
  ['nothing behind the point', '25.', 'GBP'],
  ['two points', '2.5.0', 'GBP'],
  ['a sign before it', '+25.00', 'GBP'],
  ['a space before it', ' 25.00', 'GBP'],
  ['hexadecimal digits', '0x10', 'GBP'],
  ['Arabic digits', '٢٥.٠٠', 'GBP'],
  ['full-width digits', '２５.００', 'GBP'],
  ['a currency in Cyrillic', '25.00', 'GВР'],
  ['a currency of four letters', '25.00', 'GBPP'],
]

const ORDERS: readonly (readonly [what: string, order: string])[] = [
  ['of nothing', ''],
  ['of nothing that is seen', '\u200b'],
  ['that ends a line', 'A-1\n£1.00'],
  ['with a null in it', 'A-1\u0000'],
  ['with a control of the second kind', 'A-1\u0085'],
  ['that turns its direction', 'A-1\u202e52'],
  ['that isolates a direction', 'A-1\u2066 52\u2069'],
  ['with a mark of byte order', '\ufeffA-1'],
  ['with a letter that is a tag', 'A-1\u{e0041}'],
  ['that begins with a space', ' A-1'],
  ['of 129 characters', 'A'.repeat(129)],
]

const HOSTILE: readonly (readonly [what: string, change: Partial<Asked>])[] = [
  ...AMOUNTS.map(([what, value, currency]) => [what, { value, currency }] as const),
  ...ORDERS.map(([what, order]) => [`an order ${what}`, { order }] as const),
  ['a receipt’s key that is a site', { receiptKey: 'did:web:evil.example' }],
  ['a receipt’s key of nothing', { receiptKey: '' }],
]

describe('a hostile payment is refused, with and without a vault alike', () => {
  const none = new KeyVault({ wasmSource: 'bundled', enablePersistence: false })
  const own = new KeyVault({
    wasmSource: 'bundled',
    enablePersistence: false,
    assessPassphrase: async () => ({ score: 4 }),
  })

  beforeAll(async () => {
    await Promise.all([none.initialize(), own.initialize()])
    await own.create({ passphrase: 'violet anvil harbour thirty' })
  })
  afterAll(() => Promise.all([none.cleanup(), own.cleanup()]))

  test('an honest one is not', async () => {
    for (const vault of [none, own])
      expect(await vault.payments.check(ASKED)).toMatchObject({ amount: 2500, order: 'A-1' })
  })

  test.each(HOSTILE)('%s', async (_what, change) => {
    for (const vault of [none, own])
      await expect(vault.payments.check({ ...ASKED, ...change })).rejects.toMatchObject({
        code: 'OPERATION_FAILED',
        details: { name: 'InvalidPayment' },
      })
  })
})
