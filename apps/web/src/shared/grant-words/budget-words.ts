import { plural, t } from '@lingui/core/macro'
import { money } from '../words/payment.ts'

/** What may be spent in each UTC day, ISO week or UTC month. At least one of the two limits is set. */
export interface Budget {
  readonly period: 'day' | 'week' | 'month'
  /** In minor units. */
  readonly amount?: number
  /** The number of payments. */
  readonly payments?: number
}

/** A number of payments in words. */
export function countWords(payments: number): string {
  return plural(payments, { one: '# payment', other: '# payments' })
}

/** What a budget allows: "£120.00 a week and 3 payments a week". */
export function budgetWords({ period, amount, payments }: Budget, currency: string, digits?: number): string {
  const sum = amount === undefined ? undefined : each(money(amount, currency, digits), period)
  const count = payments === undefined ? undefined : each(countWords(payments), period)
  // Each with its period: "£120.00 and 3 payments a week" could be £120.00 for ever.
  return sum === undefined || count === undefined ? (sum ?? count ?? '') : t`${sum} and ${count}`
}

function each(all: string, period: Budget['period']): string {
  switch (period) {
    case 'day':
      return t`${all} a day`
    case 'week':
      return t`${all} a week`
    case 'month':
      return t`${all} a month`
  }
}
