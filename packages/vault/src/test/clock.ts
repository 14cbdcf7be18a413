import type { Clock } from '../base/clock.ts'

/** A clock that only moves when told to. */
export class TestClock implements Clock {
  #now = Date.UTC(2026, 10, 21, 12)
  #monotonic = 1_000
  #timers: { at: number; work: () => void }[] = []

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#monotonic
  }

  after(milliseconds: number, work: () => void): () => void {
    const timer = { at: this.#monotonic + milliseconds, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  /** Lets time pass and runs timers in order. */
  pass(milliseconds: number): void {
    const end = this.#monotonic + milliseconds
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter((each) => each !== next)
      this.#move(Math.max(next.at - this.#monotonic, 0))
      next.work()
    }
    this.#move(end - this.#monotonic)
  }

  /** The machine sleeps: only the wall clock moves. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds
  }

  /** Someone sets the wall clock. */
  set(milliseconds: number): void {
    this.#now = milliseconds
  }

  get timers(): number {
    return this.#timers.length
  }

  #move(milliseconds: number): void {
    this.#now += milliseconds
    this.#monotonic += milliseconds
  }
}
