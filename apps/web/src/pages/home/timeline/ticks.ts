import { t } from '@lingui/core/macro'
import { formatTag } from '../../../shared/language/language.ts'
import type { SpanName } from './search-params.ts'
import type { TimeScale } from './time-scale.ts'

/** A mark on the axis of time. */
export interface Tick {
  /** Per cent of the width. */
  readonly at: number
  readonly words: string
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What each stretch is marked by: from one mark to the next, on the reader's own clock and calendar. */
const STEPS = {
  day: { step: { hours: 6 }, format: { hour: '2-digit', minute: '2-digit' } },
  week: { step: { days: 2 }, format: { weekday: 'short', day: 'numeric' } },
  month: { step: { days: 7 }, format: { day: 'numeric', month: 'short' } },
  year: { step: { months: 3 }, format: { month: 'short', year: '2-digit' } },
} as const satisfies Record<
  Exclude<SpanName, 'all'>,
  { step: { hours?: number; days?: number; months?: number }; format: Intl.DateTimeFormatOptions }
>

/** Marks nearer to each other than this, in per cent, would be written over one another. */
const APART = 16

/** The marks of an even scale. */
export function evenTicks(span: Exclude<SpanName, 'all'>, scale: TimeScale): Tick[] {
  const { format } = STEPS[span]
  const step: { hours?: number; days?: number; months?: number } = STEPS[span].step
  const words = new Intl.DateTimeFormat(formatTag(), format)
  const day = new Date(scale.start)
  day.setHours(0, 0, 0, 0)
  if (step.months) day.setDate(1)
  const found: Tick[] = []
  for (let turn = 0; day.getTime() < scale.end && turn < 50; turn += 1) {
    const at = scale.place(day.getTime())
    if (at >= 0 && at <= 100 - APART / 2) found.push({ at, words: words.format(day) })
    day.setMonth(day.getMonth() + (step.months ?? 0), day.getDate() + (step.days ?? 0))
    day.setHours(day.getHours() + (step.hours ?? 0))
  }
  return found
}

const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY
/** The scale isn't even, so it needs more than one mark to be read: each as a unit's length, how many of it, and its name. */
const AHEAD = [
  [HOUR, 1, 'hour'],
  [HOUR, 6, 'hour'],
  [DAY, 1, 'day'],
  [DAY, 3, 'day'],
  [7 * DAY, 1, 'week'],
  [MONTH, 1, 'month'],
  [MONTH, 3, 'month'],
  [MONTH, 6, 'month'],
  [YEAR, 1, 'year'],
  [YEAR, 3, 'year'],
  [YEAR, 10, 'year'],
] as const

/** The same for the words of the scale of everything, which are longer. */
const WORDS_APART = 24

/** The marks of the scale of everything: now, and how far ahead, as far as they do not crowd. */
export function wholeTicks(scale: TimeScale, now: number): Tick[] {
  const words = new Intl.RelativeTimeFormat(formatTag(), { numeric: 'always', style: 'short' })
  const found: Tick[] = [{ at: scale.place(now), words: t`Now` }]
  for (const [length, count, unit] of AHEAD) {
    const far = count * length
    if (now + far > scale.end) break
    const at = scale.place(now + far)
    const last = found.at(-1)?.at ?? 0
    if (at - last >= WORDS_APART && at <= 100 - APART / 2)
      found.push({ at, words: words.format(count, unit) })
  }
  return found
}
