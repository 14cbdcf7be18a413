import { expect, it } from 'vitest'
import type { PaymentRecord } from '../enclave/payment.ts'
import { decimalOf } from '../enclave/payment.ts'
import { exportPayments } from './payment-export.ts'

const COFFEE: PaymentRecord = {
  ...{ id: 'bafya', token: 'Csecret', task: 'bafyt', at: Date.UTC(2026, 10, 21, 12), issuer: 'did:key:zA' },
  ...{ expiresAt: Date.UTC(2026, 10, 21, 12, 5), payee: 'did:web:shop.example', amount: 2_500 },
  ...{ currency: 'GBP', digits: 2, order: 'A-1001', by: 'hand' },
}
const TRICKY: PaymentRecord = {
  ...COFFEE,
  ...{ id: 'bafyb', amount: 5, order: '=HYPERLINK("https://evil.example","x")', by: 'request' },
  ...{ mandate: 'bafym', requester: 'did:key:zB' },
  receipt: { token: 'Creceipt', at: Date.UTC(2026, 10, 22), outcome: 'ok' },
}

it('amounts are decimals with the digits of their currency', () => {
  const of = (amount: number, digits: number) => decimalOf({ amount, digits })
  expect([of(2_500, 2), of(5, 2), of(5, 0), of(1_234, 3), of(1, 4), of(Number.MAX_SAFE_INTEGER, 2)]).toEqual([
    ...['25.00', '0.05', '5', '1.234', '0.0001', '90071992547409.91'],
  ])
})

it('CSV quotes what it must, and contains no formula and no token', () => {
  const [head, first, second, end] = exportPayments([COFFEE, TRICKY], 'csv').split('\r\n')
  expect(head).toBe(
    'time,payee,amount,currency,order,approved by,mandate,requester,issuer,expires,authorisation,task,receipt,receipt time',
  )
  expect(first).toBe(
    '2026-11-21T12:00:00.000Z,did:web:shop.example,25.00,GBP,A-1001,hand,,,did:key:zA,2026-11-21T12:05:00.000Z,bafya,bafyt,,',
  )
  expect(second).toBe(
    '2026-11-21T12:00:00.000Z,did:web:shop.example,0.05,GBP,"\'=HYPERLINK(""https://evil.example"",""x"")",request,bafym,did:key:zB,did:key:zA,2026-11-21T12:05:00.000Z,bafyb,bafyt,ok,2026-11-22T00:00:00.000Z',
  )
  expect(end).toBe('')
})

it('CSV contains no formula even if a spreadsheet splits it at semicolons', () => {
  const cells = (order: string) => exportPayments([{ ...COFFEE, order }], 'csv').split(/[;\r\n]+/)
  for (const order of ['A;=1+1;B', 'A; @SUM(1)', 'A;"=1', "A;=cmd|' /C calc'!A0"])
    expect(cells(order).filter((cell) => /^[\s"]*[=+\-@]/.test(cell))).toEqual([])
})

it('JSON contains what is shown, and no token', () => {
  const text = exportPayments([TRICKY], 'json')
  expect(text).not.toMatch(/Csecret|Creceipt/)
  expect(JSON.parse(text)).toMatchObject({
    format: 'keyhole-payments-v1',
    payments: [
      {
        ...{ id: 'bafyb', amount: 5, value: '0.05', currency: 'GBP', order: TRICKY.order, by: 'request' },
        ...{ at: '2026-11-21T12:00:00.000Z', mandate: 'bafym', requester: 'did:key:zB' },
        receipt: { outcome: 'ok', at: '2026-11-22T00:00:00.000Z' },
      },
    ],
  })
})
