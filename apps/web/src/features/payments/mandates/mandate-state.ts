import type { Mandate } from '@keyhole/vault'
import type { BadgeTone } from '../../../shared/ui/feedback/badge.tsx'
import { SOON } from '../../../shared/words/standing.ts'

/** Where a mandate stands: what can be paid under it at a moment, and if nothing, why. */
export type MandateState = 'ended' | 'suspended' | 'early' | 'used' | 'soon' | 'live'

export const STATE_TONES: Readonly<Record<MandateState, BadgeTone>> = {
  ended: 'plain',
  suspended: 'warn',
  early: 'plain',
  used: 'warn',
  soon: 'warn',
  live: 'good',
}

/** What is left of a budget: amounts in minor units, the period's end in milliseconds. */
export interface Left {
  readonly amount: number | undefined
  readonly payments: number | undefined
  readonly until: number
}

/**
 * What is left of a mandate's budget at `now` (milliseconds): what the vault counted last, and all of it again once that period is over.
 */
export function leftOf({ budget, remaining }: Pick<Mandate, 'budget' | 'remaining'>, now: number): Left {
  const until = remaining.until * 1000
  if (now < until) return { amount: remaining.amount, payments: remaining.payments, until }
  return { amount: budget.amount, payments: budget.payments, until: periodEnd(budget.period, now) }
}

/** When the period that a moment is in ends: UTC day, ISO week, UTC month. Milliseconds. */
export function periodEnd(period: Mandate['budget']['period'], now: number): number {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (period) {
    case 'day':
      return Date.UTC(year, month, day + 1)
    case 'week':
      return Date.UTC(year, month, day + 7 - ((date.getUTCDay() + 6) % 7))
    case 'month':
      return Date.UTC(year, month + 1, 1)
  }
}

/** Where a mandate stands at `now` (milliseconds). */
export function mandateState(mandate: Mandate, now: number): MandateState {
  const { ended, suspended, notBefore, expiresAt, min } = mandate
  const end = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000
  if (ended || now > end) return 'ended'
  if (suspended) return 'suspended'
  if (notBefore !== undefined && now < notBefore * 1000) return 'early'
  const { amount, payments } = leftOf(mandate, now)
  if (payments === 0 || (amount !== undefined && amount < (min ?? 1))) return 'used'
  const life = end - mandate.createdAt * 1000
  return end - now <= Math.min(SOON, life / 10) ? 'soon' : 'live'
}

const RANKS: Readonly<Record<MandateState, number>> = {
  suspended: 0,
  live: 1,
  soon: 1,
  used: 1,
  early: 1,
  ended: 2,
}

/** Mandates as they are listed: what waits for the person first, what is over last, the newest of each first. */
export function inOrder(mandates: readonly Mandate[], now: number): Mandate[] {
  return mandates.toSorted(
    (a, b) =>
      RANKS[mandateState(a, now)] - RANKS[mandateState(b, now)] ||
      b.createdAt - a.createdAt ||
      a.cid.localeCompare(b.cid),
  )
}
