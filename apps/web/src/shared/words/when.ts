import { t } from '@lingui/core/macro'
import { formatTag } from '../language/language.ts'

export { SOON, type Standing, standing } from './standing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const FORMATS = {
  day: (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }),
  date: (tag: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
  weekday: (tag: string) => new Intl.DateTimeFormat(tag, { weekday: 'long' }),
  time: (tag: string) => new Intl.DateTimeFormat(tag, { timeStyle: 'short' }),
  relative: (tag: string) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }),
}
type Name = keyof typeof FORMATS
const known = new Map<string, ReturnType<(typeof FORMATS)[Name]>>()

/** A format in the page's language. Creating one costs more than a thousand uses, so each is created once, when it is needed. */
function format<N extends Name>(name: N): ReturnType<(typeof FORMATS)[N]> {
  const tag = formatTag()
  const key = `${name} ${tag}`
  const made = known.get(key) ?? FORMATS[name](tag)
  known.set(key, made)
  return made as ReturnType<(typeof FORMATS)[N]>
}

/**
 * The first moment that is shown as a date. Dates leave out the era, so 5000 BC would read as a year to come, and the year 30 like 2030.
 */
const FIRST = Date.UTC(1000, 0, 2)

function isInCalendar(ms: number): boolean {
  return ms >= FIRST && ms <= 8.64e15
}

/** A moment in milliseconds as a date and time, in the reader's time zone. */
export function moment(ms: number): string {
  if (ms < FIRST) return t`a time before the year 1000`
  return isInCalendar(ms) ? format('date').format(ms) : t`a time beyond the calendar`
}

/** The date of a moment, in the reader's time zone. */
export function dayWords(ms: number): string {
  return isInCalendar(ms) ? format('day').format(ms) : moment(ms)
}

/** The number of calendar days between two moments, in the reader's time zone. */
function daysBetween(from: number, to: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  return Math.round((midnight(to) - midnight(from)) / DAY)
}

/** A moment as people say it: "today 18:00", "Friday 18:00" within six days, otherwise its date. */
export function nearMoment(ms: number, now: number): string {
  if (!isInCalendar(ms)) return moment(ms)
  const days = daysBetween(now, ms)
  const clock = format('time').format(ms)
  if (days === 0) return t`today ${clock}`
  if (days === 1) return t`tomorrow ${clock}`
  return days > 1 && days < 7 ? t`${format('weekday').format(ms)} ${clock}` : moment(ms)
}

/**
 * How far a moment is from now, in the largest unit that fits: "in 3 hours", "2 days ago". Future moments round to the nearest unit, so
 * that an expiry of 7 days still reads as 7 days after an hour. Past ones count whole units only.
 */
export function distance(ms: number, now: number): string {
  const exact = ms - now
  const relative = format('relative')
  if (Math.abs(exact) < MINUTE) return exact > 0 ? t`in less than a minute` : t`a moment ago`
  const gap = exact > 0 ? Math.ceil(exact / MINUTE) * MINUTE : exact
  const size = Math.abs(gap)
  const count = (unit: number) => (exact > 0 ? Math.round(gap / unit) : Math.trunc(gap / unit))
  if (size < HOUR) return relative.format(count(MINUTE), 'minute')
  if (size < 2 * DAY) return relative.format(count(HOUR), 'hour')
  if (size < 60 * DAY) return relative.format(count(DAY), 'day')
  if (size < 730 * DAY) return relative.format(count(30.44 * DAY), 'month')
  return relative.format(count(365.25 * DAY), 'year')
}

/** When a window ends, in words. */
export function endWords(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return t`never expires`
  const far = distance(expiresAt, now)
  return expiresAt < now ? t`expired ${far}` : t`expires ${far}`
}
