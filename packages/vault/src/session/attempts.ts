import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { refused } from '../base/errors.ts'
import type { LocalValues } from '../base/local-values.ts'

/** Wrong answers that cost no waiting. */
const FREE = 2
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 60_000
/** From this many on the wait grows no longer. */
const MOST = 30

const keyOf = (address: string) => `keyhole:attempts:${address}`

const count = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
    at: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
)
type Count = v.InferOutput<typeof count>

/** How long to wait after so many wrong answers, in milliseconds: from the third on 1 s, doubling to 60 s. */
export function waitAfter(failures: number): number {
  if (failures <= FREE) return 0
  return Math.min(FIRST_WAIT * 2 ** (Math.min(failures, MOST) - FREE - 1), LONGEST_WAIT)
}

/** One attempt at a secret, which is under way. */
interface Attempt {
  /** What came of it, noted. @param isWrong whether what was thrown says that the secret was wrong */
  outcome<T>(made: Promise<T>, isWrong: (error: unknown) => boolean): Promise<T>
}

/**
 * Slows down guessing: who has been wrong three times waits before the next try, longer each time. Counted per account
 * where reloads and other tabs see it. Nothing is ever wiped for failing.
 *
 * An attempt is counted as wrong before it is made, and taken back when it was not: closing the tab in the middle of
 * one is no way around. The caller holds the account's write lock, so that tabs cannot take turns.
 */
export class Attempts {
  readonly #clock: Clock
  readonly #values: LocalValues
  /** What this page has counted, should what is kept be taken away. */
  readonly #here = new Map<string, Count>()

  constructor(clock: Clock, values: LocalValues) {
    this.#clock = clock
    this.#values = values
  }

  /**
   * Counts one attempt at an account's secret, which is made next.
   *
   * @throws VaultError OPERATION_FAILED with `details.retryAt` (milliseconds since 1970) where it is too soon: nothing is to be tried
   */
  begin(address: string): Attempt {
    const before = this.#read(address)
    this.#requireTime(address, before)
    this.#write(address, { failures: Math.min(before.failures + 1, MOST), at: this.#clock.now() })
    return {
      outcome: async (made, isWrong) => {
        try {
          const result = await made
          this.#write(address, { failures: 0, at: this.#clock.now() })
          return result
        } catch (error) {
          if (isWrong(error)) this.#write(address, { ...this.#read(address), at: this.#clock.now() })
          else this.#write(address, before)
          throw error
        }
      },
    }
  }

  /** Forgets what was counted for an account that is gone. */
  forget(address: string): void {
    this.#here.delete(address)
    this.#values.remove(keyOf(address))
  }

  #requireTime(address: string, { failures, at }: Count): void {
    const now = this.#clock.now()
    const wait = waitAfter(failures)
    // A clock that was set back would make the wait long, and one that is set forth again would end it: it begins anew.
    const since = at > now ? now : at
    if (at > now) this.#write(address, { failures, at: now })
    const retryAt = since + wait
    if (wait === 0 || now >= retryAt) return
    const seconds = Math.ceil((retryAt - now) / 1000)
    throw refused('TooSoon', { failures, seconds }, { details: { retryAt } })
  }

  #read(address: string): Count {
    const here = this.#here.get(address) ?? { failures: 0, at: 0 }
    const text = this.#values.read(keyOf(address))
    if (text === undefined) return here
    const parsed = v.safeParse(count, text)
    if (!parsed.success) {
      // Somebody has tampered with it: the longest wait, from now on.
      const worst = { failures: MOST, at: this.#clock.now() }
      this.#write(address, worst)
      return worst
    }
    const stored = { ...parsed.output, failures: Math.min(parsed.output.failures, MOST) }
    // Another tab may have counted on, or forgotten after a success; or what this one counted could not be kept.
    return stored.at >= here.at ? stored : here
  }

  #write(address: string, value: Count): void {
    this.#here.set(address, value)
    this.#values.write(keyOf(address), JSON.stringify(value))
  }
}
