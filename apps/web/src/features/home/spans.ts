/** A stretch of time in milliseconds; without `until` it never ends. */
export interface Stretch {
  from: number
  until: number | undefined
}

/** A bar in per cent of the width: where it begins, how much of it is over, how much is to come. */
export interface Span {
  left: number
  past: number
  future: number
}

/** However little is left of a grant, its bar can be seen. */
const LEAST = 1.5

/**
 * Lays stretches out on one scale that reaches from the earliest start to the latest end. Time is drawn by its square
 * root on both sides of now, so that an hour can be seen beside a year.
 */
export function spans(stretches: readonly Stretch[], now: number): Span[] {
  const ends = stretches.flatMap(({ until }) => (until === undefined ? [] : [until]))
  const latest = Math.max(now + 1, ...ends)
  const earliest = Math.min(now - 1, ...stretches.map(({ from }) => from))
  const past = Math.sqrt(now - earliest)
  const future = Math.sqrt(latest - now)
  // Now stands where the past, drawn at most a quarter of the width, ends.
  const present = Math.min(25, (past / (past + future)) * 100)
  const place = (time: number) =>
    time <= now
      ? present - (Math.sqrt(now - Math.max(time, earliest)) / past) * present
      : present + (Math.sqrt(Math.min(time, latest) - now) / future) * (100 - present)
  return stretches.map(({ from, until }) => {
    const left = place(from)
    const end = until === undefined ? 100 : Math.max(place(until), left + LEAST)
    const over = Math.min(Math.max(present - left, 0), end - left)
    return { left, past: over, future: end - left - over }
  })
}
