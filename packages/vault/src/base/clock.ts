/** Time, passed as an argument so that tests don't have to wait. */
export interface Clock {
  /** Milliseconds since 1970. Keeps going while the machine sleeps; anyone can set it. */
  now(): number
  /** Milliseconds since some moment. Never goes back; may stop while the machine sleeps. */
  monotonic(): number
  /** Calls `work` once, after at least that many milliseconds. @returns cancels it */
  after(milliseconds: number, work: () => void): () => void
}

/** The longest that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, Math.min(Math.max(milliseconds, 0), LONGEST))
    // A pending lock timer shouldn't keep a Node process alive.
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}
