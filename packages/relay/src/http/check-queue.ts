import { RelayError } from './answers.ts'
import { networkOf } from './rates.ts'

/** Waiting checks: per network, and in total. */
const MOST_EACH = 4
const MOST = 128
/** How long the checks of one network may take, in milliseconds, and how much of that is refilled per millisecond. */
const MOST_SPENT = 3_000
const REFILL = 0.05
/** Networks whose spent time is remembered. Beyond that, the oldest entries are forgotten. */
const MOST_NETWORKS = 20_000

interface Waiting {
  readonly network: string
  /** Runs the check. @returns a function that settles the caller's promise */
  run(): Promise<() => void>
  refuse(error: RelayError): void
}

/**
 * Checks one token at a time, next the one whose network has spent the least. A stranger can make tokens that take long
 * to check. Those wait for each other, and a client with ordinary tokens waits for at most one of them.
 */
export class CheckQueue {
  readonly #clock: () => number
  readonly #waiting: Waiting[] = []
  readonly #spent = new Map<string, { readonly milliseconds: number; readonly at: number }>()
  #isRunning = false

  /** @param clock a monotonic clock, in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
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
      const began = this.#clock()
      const settle = await next.run()
      this.#spend(next.network, this.#clock() - began)
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
   * Refuses the last check of the network that has spent the most. @returns false if no one has spent more than
   * `network`
   */
  #refuseDearest(network: string): boolean {
    let dearest = 0
    for (const [index, each] of this.#waiting.entries())
      if (this.#spentBy(each.network) >= this.#spentBy(this.#waiting[dearest]?.network ?? '')) dearest = index
    const refused = this.#waiting[dearest]
    if (!refused || this.#spentBy(refused.network) <= this.#spentBy(network)) return false
    this.#waiting.splice(dearest, 1)
    refused.refuse(new RelayError('unavailable'))
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
