import type { PaymentRecord } from '@keyhole/vault'
import { dayEnd, dayStart } from '../../../shared/text/day.ts'

import type { HistoryFilter } from './search-params.ts'

/** Whether a filter lets everything through. */
export function isEverything(filter: HistoryFilter): boolean {
  return Object.values(filter).every((value) => value === undefined)
}

/** What the payee said became of a payment; "none" where nothing was said. */
export function receiptOf({ receipt }: PaymentRecord): 'ok' | 'error' | 'none' {
  if (receipt === undefined) return 'none'
  return receipt.outcome === 'ok' ? 'ok' : 'error'
}

/** The payments that fit, in their order. */
export function filtered(payments: readonly PaymentRecord[], filter: HistoryFilter): PaymentRecord[] {
  const { payee, currency, receipt, under } = filter
  const first = filter.from === undefined ? undefined : dayStart(filter.from)
  const last = filter.to === undefined ? undefined : dayEnd(filter.to)
  return payments.filter(
    (payment) =>
      (payee === undefined || payment.payee === payee) &&
      (currency === undefined || payment.currency === currency) &&
      (receipt === undefined || receiptOf(payment) === receipt) &&
      (under === undefined || (payment.mandate ?? 'hand') === under) &&
      (first === undefined || payment.at >= first) &&
      (last === undefined || payment.at < last),
  )
}

/** The different values of a field, in the order of the alphabet. */
export function valuesOf(payments: readonly PaymentRecord[], field: 'payee' | 'currency'): string[] {
  return [...new Set(payments.map((payment) => payment[field]))].sort()
}

/** What was authorised for a payee: minor units of one currency. */
export interface Spent {
  readonly payee: string
  readonly currency: string
  readonly digits: number
  readonly amount: number
  readonly payments: number
  /** How many of these failed, as their receipts say. A budget counts them too. */
  readonly failed: number
}

/** How much was authorised for whom under a mandate, the most first. A mandate has one currency. */
export function spentByPayee(payments: readonly PaymentRecord[], mandate: string): Spent[] {
  const spent = new Map<string, Spent>()
  for (const payment of payments) {
    if (payment.mandate !== mandate) continue
    const { payee, currency, digits, amount } = payment
    const before = spent.get(payee) ?? { payee, currency, digits, amount: 0, payments: 0, failed: 0 }
    spent.set(payee, {
      ...before,
      amount: before.amount + amount,
      payments: before.payments + 1,
      failed: before.failed + (receiptOf(payment) === 'error' ? 1 : 0),
    })
  }
  return [...spent.values()].sort((a, b) => b.amount - a.amount || a.payee.localeCompare(b.payee))
}

/** What failed of payments in one currency, as their receipts say, in minor units. */
export function failedAmount(payments: readonly PaymentRecord[]): number {
  return payments.reduce((sum, payment) => (receiptOf(payment) === 'error' ? sum + payment.amount : sum), 0)
}

/** Minor units of one currency, exact. */
export interface Sum {
  readonly currency: string
  /** Behind the point, as the payments say. */
  readonly digits: number
  readonly minor: bigint
}

/** All that was authorised in each currency, the codes in the order of the alphabet. What counts in other units is a sum of its own. */
export function sums(payments: readonly PaymentRecord[]): Sum[] {
  const all = new Map<string, Sum>()
  for (const { currency, digits, amount } of payments) {
    const unit = `${currency} ${digits}`
    all.set(unit, { currency, digits, minor: (all.get(unit)?.minor ?? 0n) + BigInt(amount) })
  }
  return [...all.values()].sort((a, b) => a.currency.localeCompare(b.currency) || a.digits - b.digits)
}
