import type { MandateBudget } from '../../enclave/mandate.ts'

const DAY = 86_400
const WEEK = 7 * DAY
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY

/** The first second of the period of a budget that includes `now`, in seconds since 1970. The plugin has the same. */
export function periodStart(period: MandateBudget['period'], now: number): number {
  if (period === 'day') return now - (now % DAY)
  if (period === 'week') return now - ((now + WEEK - FIRST_MONDAY) % WEEK)
  return monthStart(now, 0)
}

/** The first second after the period that includes `now`. */
export function periodEnd(period: MandateBudget['period'], now: number): number {
  if (period === 'month') return monthStart(now, 1)
  return periodStart(period, now) + (period === 'day' ? DAY : WEEK)
}

function monthStart(now: number, later: number): number {
  const date = new Date(now * 1_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1_000
}
