import type { SpanName } from './search-params.ts'

/** A stretch of time in milliseconds; without `until` it never ends. */
export interface Stretch {
  readonly from: number
  readonly until: number | undefined
}

/** What of time is in sight, and where a moment stands in it. */
export interface TimeScale {
  readonly start: number
  readonly end: number
  /** A moment's place, in per cent of the width; below 0 and above 100 outside of it. */
  readonly place: (time: number) => number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LENGTHS = { day: DAY, week: 7 * DAY, month: 31 * DAY, year: 366 * DAY } as const

/** How much of a stretch around now lies behind it: what is to come matters more. */
const BEHIND = 1 / 8

/** The length of a stretch in milliseconds; "all" has none of its own. */
export function spanLength(span: Exclude<SpanName, 'all'>): number {
  return LENGTHS[span]
}

/** Where a stretch around now begins. */
export function spanStart(span: Exclude<SpanName, 'all'>, now: number): number {
  return now - LENGTHS[span] * BEHIND
}

/** A day, a week, a month or a year on an even scale. */
export function evenScale(span: Exclude<SpanName, 'all'>, from: number): TimeScale {
  const length = LENGTHS[span]
  return { start: from, end: from + length, place: (time) => ((time - from) / length) * 100 }
}

/**
 * From the earliest start to the latest end. Time is drawn by its square root on both sides of now, so that an hour can
 * be seen beside a year; what is past takes at most a quarter of the width.
 */
export function wholeScale(stretches: readonly Stretch[], now: number): TimeScale {
  let [start, end] = [now - 1, now + HOUR]
  for (const { from, until } of stretches) {
    start = Math.min(start, from)
    end = Math.max(end, until ?? from)
  }
  const past = Math.sqrt(now - start)
  const future = Math.sqrt(end - now)
  const present = Math.min(25, (past / (past + future)) * 100)
  const place = (time: number) =>
    time <= now
      ? present - (Math.sqrt(now - Math.max(time, start)) / past) * present
      : present + (Math.sqrt(Math.min(time, end) - now) / future) * (100 - present)
  return { start, end, place }
}

/** A bar in per cent of the width: where it begins, how much of it is over, how much is to come. */
export interface Bar {
  readonly left: number
  readonly past: number
  readonly future: number
  /** Where it goes on out of sight: after the end, or before the start, when none of it is in sight. */
  readonly beyond?: 'before' | 'after'
}

/** However little is left of a grant, its bar can be seen. */
const LEAST = 1.5

/** A stretch as a bar on a scale, cut at its edges. */
export function bar({ from, until }: Stretch, scale: TimeScale, now: number): Bar {
  const clamp = (percent: number) => Math.min(100, Math.max(0, percent))
  const begin = scale.place(from)
  const finish = until === undefined ? 100 : scale.place(until)
  if (begin >= 100) return { left: 100, past: 0, future: 0, beyond: 'after' }
  if (finish <= 0) return { left: 0, past: 0, future: 0, beyond: 'before' }
  const left = Math.min(clamp(begin), 100 - LEAST)
  const end = Math.max(clamp(finish), left + LEAST)
  const over = Math.min(Math.max(scale.place(now) - left, 0), end - left)
  const isCut = until === undefined || finish > 100
  return { left, past: over, future: end - left - over, ...(isCut && { beyond: 'after' }) }
}
