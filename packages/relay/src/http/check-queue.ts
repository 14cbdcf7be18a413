import { RelayError } from './answers.ts'
import { networkOf } from './rates.ts'

/** Waiting checks: per network, as many as it may have listeners, and in total. */
const MOST_EACH = 64
const MOST = 128
/** Processor time that the checks of one network may take, in milliseconds, and how much is refilled per millisecond. */
const MOST_SPENT = 3_000
const REFILL = 0.05
/** Networks whose spent time is remembered. Beyond that, the oldest entries are forgotten. */
const MOST_NETWORKS = 20_000

/** Clocks that only go forward, in milliseconds. */
export interface QueueClocks {
  readonly clock: () => number
  /** Processor time that goes up with what a check uses, and not while it waits. It may count other work too. */
  readonly processorTime: () => number
}

interface Waiting {
  readonly network: string
  /** Runs the check. @returns a function that settles the caller's promise */
  run(): Promise<() => void>
  refuse(error: RelayError): void
}

/**
 * Checks one token at a time, next the one whose network has spent the least. A stranger can make tokens that take long
 * to check. Those wait for each other, and a client with ordinary tokens waits for at most one of them. What counts is the
 * processor time that a check used, so clients of a busy machine aren't refused for the machine's other work.
 */
export class CheckQueue {
  readonly #clock: () => number
  readonly #processorTime: () => number
  readonly #waiting: Waiting[] = []
  readonly #spent = new Map<string, { readonly milliseconds: number; readonly at: number }>()
  #isRunning = false

  constructor({ clock, processorTime }: QueueClocks) {
    this.#clock = clock
    this.#processorTime = processorTime
  }

  /** Runs a check for an address. @throws RelayError too_many_requests, unavailable */
  run<T>(address: string, check: () => Promise<T>): Promise<T> {
    const network = networkOf(address)
    const own = this.#waiting.filter((each) => each.network === network).length
    if (own >= MOST_EACH || this.#spentBy(network) > MOST_SPENT)
      return Promise.reject(new RelayError('too_many_requests'))
    if (this.#waiting.length >= MOST && !this.#refuseDearest(network))
      return Promise.reject(new RelayError('unavailable'))
    return new Promise((resolve, reject) => {
      const run = () =>
        check().then(
          (value) => () => resolve(value),
          (error) => () => reject(error),
        )
      this.#waiting.push({ network, run, refuse: reject })
      void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let next = this.#takeCheapest(); next; next = this.#takeCheapest()) {
      // It may have spent too much while this one waited.
      if (this.#spentBy(next.network) > MOST_SPENT) {
        next.refuse(new RelayError('too_many_requests'))
        continue
      }
      const [began, used] = [this.#clock(), this.#processorTime()]
      const settle = await next.run()
      // A busy machine makes a check last longer, and busy threads count more than the check. So the smaller one counts.
      this.#spend(next.network, Math.min(this.#clock() - began, this.#processorTime() - used))
      settle()
    }
    this.#isRunning = false
  }

  /** The first check of the network that has spent the least. */
  #takeCheapest(): Waiting | undefined {
    let cheapest = 0
    for (const [index, { network }] of this.#waiting.entries())
      if (this.#spentBy(network) < this.#spentBy(this.#waiting[cheapest]?.network ?? '')) cheapest = index
    return this.#waiting.splice(cheapest, 1)[0]
  }

  /**
   * Refuses the last check of the network that has the most to check: what it spent, and a millisecond for each check
   * that waits. @returns false if no network has more than `network` would have
   */
  #refuseDearest(network: string): boolean {
    const counts = new Map<string, number>()
    for (const each of this.#waiting) counts.set(each.network, (counts.get(each.network) ?? 0) + 1)
    let dearest = { network, cost: this.#spentBy(network) + (counts.get(network) ?? 0) + 1 }
    for (const [each, count] of counts) {
      const cost = this.#spentBy(each) + count
      if (cost > dearest.cost) dearest = { network: each, cost }
    }
    if (dearest.network === network) return false
    const at = this.#waiting.findLastIndex((each) => each.network === dearest.network)
    for (const refused of this.#waiting.splice(at, 1)) refused.refuse(new RelayError('unavailable'))
    return true
  }

  #spentBy(network: string): number {
    const known = this.#spent.get(network)
    return known ? Math.max(known.milliseconds - (this.#clock() - known.at) * REFILL, 0) : 0
  }

  #spend(network: string, milliseconds: number): void {
    const sum = this.#spentBy(network) + milliseconds
    this.#spent.delete(network)
    this.#spent.set(network, { milliseconds: sum, at: this.#clock() })
    if (this.#spent.size <= MOST_NETWORKS) return
    const [oldest] = this.#spent.keys()
    if (oldest !== undefined) this.#spent.delete(oldest)
  }
}
