const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A moment in milliseconds as a date and a time of day, in the reader's time zone. */
export function moment(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? DATE.format(ms) : 'a time beyond the calendar'
}

/** How far a moment is from now, in the largest unit that fits: "in 3 hours", "2 days ago". */
export function distance(ms: number, now: number): string {
  const gap = ms - now
  const size = Math.abs(gap)
  if (size < MINUTE) return gap >= 0 ? 'in less than a minute' : 'a moment ago'
  if (size < HOUR) return RELATIVE.format(Math.trunc(gap / MINUTE), 'minute')
  if (size < 2 * DAY) return RELATIVE.format(Math.trunc(gap / HOUR), 'hour')
  if (size < 60 * DAY) return RELATIVE.format(Math.trunc(gap / DAY), 'day')
  if (size < 730 * DAY) return RELATIVE.format(Math.trunc(gap / (30.44 * DAY)), 'month')
  return RELATIVE.format(Math.trunc(gap / (365.25 * DAY)), 'year')
}

/** Where a window of time stands now. `none` means it never ends. */
export type Standing = 'early' | 'live' | 'soon' | 'ended' | 'none'

/** How long before its end a grant counts as ending soon: two days, or a tenth of a shorter life. */
export const SOON = 2 * DAY

/**
 * Where a token stands at `now`.
 * @param window milliseconds; `expiresAt` undefined means without end
 */
export function standing(
  window: { notBefore?: number | undefined; expiresAt?: number | undefined; createdAt?: number | undefined },
  now: number,
): Standing {
  const { notBefore, expiresAt, createdAt } = window
  if (expiresAt !== undefined && now > expiresAt) return 'ended'
  if (notBefore !== undefined && now < notBefore) return 'early'
  if (expiresAt === undefined) return 'none'
  const life = createdAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - createdAt
  return expiresAt - now <= Math.min(SOON, life / 10) ? 'soon' : 'live'
}

/** The words for when a window ends. */
export function endWords(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'never ends'
  return `${expiresAt < now ? 'ended' : 'ends'} ${distance(expiresAt, now)}`
}
