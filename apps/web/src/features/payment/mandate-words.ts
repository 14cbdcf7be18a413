import type { Mandate, MandateBudget } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'
import { anyOf, money, payeeWords } from '../words/payment.ts'
import { distance, endWords, nearMoment } from '../words/when.ts'
import { type Acquaintance, who } from '../words/who.ts'
import type { Left, MandateState } from './mandate-state.ts'

/** What of a mandate its sentence needs: one that is there, or one that is being made. Amounts in minor units, times in seconds. */
export type MandateSaid = Pick<Mandate, 'audience' | 'payees' | 'max' | 'currency' | 'budget' | 'own'> & {
  readonly min?: number | undefined
  /** Behind the point; those of the currency where nobody says. */
  readonly digits?: number | undefined
  readonly notBefore?: number | undefined
  readonly expiresAt?: number | undefined
}

function countWords(payments: number): string {
  return plural(payments, { one: '# payment', other: '# payments' })
}

/** What a budget allows in each of its periods: "£120.00 and 3 payments a week". */
export function budgetWords(
  { period, amount, payments }: MandateBudget,
  currency: string,
  digits?: number,
): string {
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

function rangeWords({ min, max, currency, digits }: MandateSaid): string {
  const most = money(max, currency, digits)
  if (min === undefined) return t`up to ${most} at a time`
  const least = money(min, currency, digits)
  return min === max ? t`exactly ${most} at a time` : t`${least} to ${most} at a time`
}

function windowWords({ notBefore, expiresAt }: MandateSaid, now: number): string {
  const end = expiresAt === undefined ? undefined : nearMoment(expiresAt * 1000, now)
  if (notBefore === undefined || notBefore * 1000 <= now)
    return end === undefined ? t`without end` : t`until ${end}`
  const start = nearMoment(notBefore * 1000, now)
  return end === undefined ? t`from ${start}, without end` : t`from ${start} until ${end}`
}

/**
 * What a mandate with a budget allows, as a sentence: all of its terms are in it.
 * @param now milliseconds
 */
export function mandateSentence(mandate: MandateSaid, acquaintance: Acquaintance, now: number): string {
  const range = rangeWords(mandate)
  const window = windowWords(mandate, now)
  const budget = budgetWords(mandate.budget, mandate.currency, mandate.digits)
  const whom = who(mandate.audience, acquaintance)
  const sites = mandate.payees.length === 0 ? undefined : anyOf(mandate.payees.map(payeeWords))
  if (mandate.own) {
    return sites === undefined
      ? t`This vault pays nobody by itself: no site is named.`
      : t`This vault pays ${sites} by itself, ${range}, ${window}; at most ${budget}.`
  }
  return sites === undefined
    ? t`${whom} may ask this vault to pay anyone, ${range}, ${window}; at most ${budget}.`
    : t`${whom} may ask this vault to pay ${sites}, ${range}, ${window}; at most ${budget}.`
}

/** Where a mandate stands, in a few words. Times in milliseconds. */
export function stateWords(mandate: MandateSaid, state: MandateState, until: number, now: number): string {
  const { notBefore, expiresAt } = mandate
  const end = expiresAt === undefined ? undefined : expiresAt * 1000
  switch (state) {
    case 'ended':
      return end === undefined || end > now ? t`ended by you` : endWords(end, now)
    case 'suspended':
      return t`suspended`
    case 'early':
      return t`starts ${distance((notBefore ?? 0) * 1000, now)}`
    case 'used':
      return t`used up, again ${distance(until, now)}`
    case 'soon':
    case 'live':
      return endWords(end, now)
  }
}

/** What is left of a budget of amounts, or of payments: "£40.00 of £120.00 left". */
export function leftWords(
  left: Left,
  budget: MandateBudget,
  currency: string,
  digits?: number,
): { amount?: string; payments?: string } {
  const words: { amount?: string; payments?: string } = {}
  if (budget.amount !== undefined && left.amount !== undefined) {
    const [rest, all] = [money(left.amount, currency, digits), money(budget.amount, currency, digits)]
    words.amount = t`${rest} of ${all} left`
  }
  if (budget.payments !== undefined && left.payments !== undefined) {
    const all = countWords(budget.payments)
    words.payments = t`${left.payments} of ${all} left`
  }
  return words
}

/** When a period ends, and all of the budget is there again: "this week, until Monday 01:00". */
export function periodWords(period: MandateBudget['period'], until: number, now: number): string {
  const end = nearMoment(until, now)
  switch (period) {
    case 'day':
      return t`today (UTC), until ${end}`
    case 'week':
      return t`this week (UTC), until ${end}`
    case 'month':
      return t`this month (UTC), until ${end}`
  }
}
