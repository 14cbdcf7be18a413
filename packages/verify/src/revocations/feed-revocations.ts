import { RevocationIndex } from './revocation-index.ts'
import type { Link } from './revocation-source.ts'

/** Longest event of a revocation, in characters. */
export const LONGEST = 16_384
/**
 * All that a feed may have at once, in characters. It is more than a relay takes (`BOUNDS` in packages/relay/src/bounds.ts),
 * which a test checks.
 */
export const MOST = 128 << 20

/** Of all the room, what those that expired must take up before they are removed: less than a relay leaves over. */
const LEAST_REMOVED = 16

/** A revocation as a relay sends it. */
export interface FedRevocation {
  readonly revokes: string
  readonly by: readonly string[] | undefined
  readonly revocation: string
  /** When the delegation has expired, in seconds since 1970; null for never. */
  readonly until: number | null
  /** Of its event, in characters. */
  readonly length: number
}

/** What a service has read of a feed. It holds no more than a feed may have. */
export class FeedRevocations {
  readonly #most: number
  #index = new RevocationIndex()
  #all: FedRevocation[] = []
  #length = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /**
   * Adds a revocation. One that is there is no other, so a feed can be read again. If there is no room, those of expired delegations
   * go first: a relay has deleted them too.
   *
   * @param now in seconds since 1970
   * @returns false if there is no room for it
   */
  add(added: FedRevocation, now: number): boolean {
    if (this.#index.has(added)) return true
    if (added.length > LONGEST) return false
    if (this.#length + added.length > this.#most) this.#removeExpired(now)
    if (this.#length + added.length > this.#most) return false
    this.#append(added)
    return true
  }

  /** Revocations that can have an effect on a chain. @param chain root first */
  find(chain: readonly Link[]): readonly string[] {
    return this.#index.find(chain)
  }

  #append(added: FedRevocation): void {
    this.#index.add(added)
    this.#all.push(added)
    this.#length += added.length
  }

  #removeExpired(now: number): void {
    const left = this.#all.filter(({ until }) => until === null || until > now)
    const length = left.reduce((sum, each) => sum + each.length, 0)
    // The index is built again. A relay could have that done for every event if one at a time expired.
    if (this.#length - length < this.#most / LEAST_REMOVED) return
    this.#index = new RevocationIndex()
    this.#all = []
    this.#length = 0
    for (const each of left) this.#append(each)
  }
}
