import { toCsv } from '../base/csv.ts'
import { decimalOf, type PaymentRecord } from '../enclave/payment.ts'

export type PaymentExportFormat = 'csv' | 'json'

/**
 * Payments for other programs: times in ISO 8601, amounts in minor units (`amount`, only in JSON) and in the currency's
 * main unit. Contains no tokens.
 */
export function exportPayments(payments: readonly PaymentRecord[], format: PaymentExportFormat): string {
  if (format === 'csv') return toCsv([COLUMNS.map(([name]) => name), ...payments.map(toRow)])
  const shown = { format: 'keyhole-payments-v1', payments: payments.map(toJson) }
  return `${JSON.stringify(shown, null, 2)}\n`
}

const iso = (time: number) => new Date(time).toISOString()

const COLUMNS: readonly (readonly [name: string, read: (payment: PaymentRecord) => string | undefined])[] = [
  ['time', ({ at }) => iso(at)],
  ['payee', ({ payee }) => payee],
  ['amount', decimalOf],
  ['currency', ({ currency }) => currency],
  ['order', ({ order }) => order],
  ['approved by', ({ by }) => by],
  ['mandate', ({ mandate }) => mandate],
  ['requester', ({ requester }) => requester],
  ['issuer', ({ issuer }) => issuer],
  ['expires', ({ expiresAt }) => iso(expiresAt)],
  ['authorisation', ({ id }) => id],
  ['task', ({ task }) => task],
  ['receipt', ({ receipt }) => receipt?.outcome],
  ['receipt time', ({ receipt }) => receipt && iso(receipt.at)],
]

const toRow = (payment: PaymentRecord) => COLUMNS.map(([, read]) => read(payment) ?? '')

function toJson(payment: PaymentRecord): object {
  const { id, task, at, expiresAt, issuer, payee, amount, currency, digits, order, by } = payment
  const { mandate, requester, receipt } = payment
  return {
    ...{ id, task, at: iso(at), expiresAt: iso(expiresAt), issuer, payee, amount, value: decimalOf(payment) },
    ...{ currency, digits, order, by, mandate, requester },
    ...(receipt && { receipt: { at: iso(receipt.at), outcome: receipt.outcome } }),
  }
}
