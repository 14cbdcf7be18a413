import { plural, t } from '@lingui/core/macro'
import { money } from '../words/payment.ts'

/** What may be spent in each UTC day, ISO week or UTC month: at least one of the two is there. */
export interface Budget {
  readonly period: 'day' | 'week' | 'month'
  /** In minor units. */
  readonly amount?: number
  /** How many. */
  readonly payments?: number
}

/** A number of payments in words. */
export function countWords(payments: number): string {
  return plural(payments, { one: '# payment', other: '# payments' })
}

/** What a budget allows in each of its periods: "£120.00 and 3 payments a week". */
export function budgetWords({ period, amount, payments }: Budget, currency: string, digits?: number): string {
  const sum = amount === undefined ? undefined : money(amount, currency, digits)
  const count = payments === undefined ? undefined : countWords(payments)
  const all = sum === undefined || count === undefined ? (sum ?? count ?? '') : t`${sum} and ${count}`
  switch (period) {
    case 'day':
      return t`${all} a day`
    case 'week':
      return t`${all} a week`
    case 'month':
      return t`${all} a month`
  }
}
