import { networkOf } from './rates.ts'

/** Limits the number of listeners: in total, and from one network. */
export class ListenerLimits {
  readonly #most: number
  readonly #mostEach: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(most: number, mostEach: number) {
    this.#most = most
    this.#mostEach = mostEach
  }

  /** @returns a function that frees the place (call it once), or why there is none */
  take(address: string): (() => void) | 'too_many_requests' | 'unavailable' {
    const network = networkOf(address)
    const own = this.#taken.get(network) ?? 0
    if (own >= this.#mostEach) return 'too_many_requests'
    if (this.#total >= this.#most) return 'unavailable'
    this.#taken.set(network, own + 1)
    this.#total += 1
    return () => {
      this.#total -= 1
      const left = (this.#taken.get(network) ?? 1) - 1
      if (left > 0) this.#taken.set(network, left)
      else this.#taken.delete(network)
    }
  }
}
