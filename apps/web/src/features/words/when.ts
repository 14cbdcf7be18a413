export { SOON, type Standing, standing } from './standing.ts'

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

/** The words for when a window ends. */
export function endWords(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'never ends'
  return `${expiresAt < now ? 'ended' : 'ends'} ${distance(expiresAt, now)}`
}
