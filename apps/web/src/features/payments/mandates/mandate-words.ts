import type { Mandate, MandateBudget } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import type { Capability } from '../../../shared/grant-words/sentence.ts'
import { spendingOf } from '../../../shared/grant-words/spending.ts'
import { money } from '../../../shared/words/payment.ts'
import { REQUEST } from '../../../shared/words/payment-commands.ts'
import { numberWords } from '../../../shared/words/value.ts'
import { distance, endWords, nearMoment } from '../../../shared/words/when.ts'
import { mandatePolicy } from './mandate.ts'
import { type Left, leftOf, type MandateState, mandateState } from './mandate-state.ts'

/** A mandate with a budget as every grant is told: its delegation, and what the vault counts. */
export function mandateCapability(mandate: Mandate): Capability {
  const { issuer, audience, notBefore, expiresAt } = mandate
  return {
    ...{ issuer, audience, subject: issuer, command: REQUEST, policy: mandatePolicy(mandate) },
    notBefore: notBefore === undefined ? undefined : notBefore * 1000,
    expiresAt: expiresAt === undefined ? undefined : expiresAt * 1000,
    spending: spendingOf(mandate),
  }
}

/** Where a mandate stands, in a few words. Times in milliseconds. */
export function stateWords(
  mandate: Pick<Mandate, 'notBefore' | 'expiresAt'>,
  state: MandateState,
  until: number,
  now: number,
): string {
  const { notBefore, expiresAt } = mandate
  const end = expiresAt === undefined ? undefined : expiresAt * 1000
  switch (state) {
    case 'ended':
      return end === undefined || end > now ? t`revoked` : endWords(end, now)
    case 'suspended':
      return t`suspended`
    case 'early':
      return t`starts ${distance((notBefore ?? 0) * 1000, now)}`
    case 'used':
      return t`used up, resets ${distance(until, now)}`
    case 'soon':
    case 'live':
      return endWords(end, now)
  }
}

/**
 * Why a payment of `amount`, in minor units, can't be made under a mandate at `now` (milliseconds). Undefined if it can, or if another device
 * counts it, which knows more.
 */
export function whyNotPaid(mandate: Mandate, amount: number, now: number): string | undefined {
  const state = mandateState(mandate, now)
  if (state === 'ended') return t`This mandate has ended. Nothing can be paid under it.`
  if (mandate.keeper !== undefined) return undefined
  if (state === 'suspended') return t`This mandate is suspended. To pay under it, resume it under Payments.`
  if (state === 'early') return t`This mandate hasn’t started yet.`
  if (state === 'used') return t`This mandate’s budget is used up for now.`
  const { amount: rest } = leftOf(mandate, now)
  return rest !== undefined && amount > rest
    ? t`This is more than what is left of the mandate’s budget.`
    : undefined
}

/** What was used of a budget of amounts, or of payments: "£80.00 of £120.00 used". */
export function spentWords(
  left: Left,
  budget: MandateBudget,
  currency: string,
  digits?: number,
): { amount?: string; payments?: string } {
  const words: { amount?: string; payments?: string } = {}
  if (budget.amount !== undefined && left.amount !== undefined) {
    const spent = money(budget.amount - left.amount, currency, digits)
    const all = money(budget.amount, currency, digits)
    words.amount = t`${spent} of ${all} used`
  }
  if (budget.payments !== undefined && left.payments !== undefined) {
    const [used, all] = [numberWords(budget.payments - left.payments), numberWords(budget.payments)]
    words.payments = t`${used} of ${all} used`
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
