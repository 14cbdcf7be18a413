/** Time, as the vault needs it: an argument, so that tests wait for nothing. */
export interface Clock {
  /** Milliseconds since 1970. Goes on while the machine sleeps; can be set by anyone. */
  now(): number
  /** Milliseconds since some moment. Never goes back; may stand still while the machine sleeps. */
  monotonic(): number
  /** Calls `work` once, no sooner than after that many milliseconds. @returns takes it back */
  after(milliseconds: number, work: () => void): () => void
}

/** The longest that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, Math.min(Math.max(milliseconds, 0), LONGEST))
    // Locking on time is no reason for a Node process to stay.
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}
