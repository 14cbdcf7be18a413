import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { refused } from '../base/errors.ts'
import type { LocalValues } from '../base/local-values.ts'

/** Wrong attempts without a wait. */
const FREE = 2
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 60_000
/** The count stops here: the wait has long reached its maximum. */
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

/** How long to wait after that many wrong attempts, in milliseconds: 1 s after the third, doubling to 60 s. */
export function waitAfter(failures: number): number {
  if (failures <= FREE) return 0
  return Math.min(FIRST_WAIT * 2 ** (Math.min(failures, MOST) - FREE - 1), LONGEST_WAIT)
}

/** One attempt at a secret, in progress. */
interface Attempt {
  /** Records the outcome. @param isWrong whether the error means that the secret was wrong */
  outcome<T>(made: Promise<T>, isWrong: (error: unknown) => boolean): Promise<T>
}

/**
 * Slows down guessing: after three wrong attempts each try has to wait, longer each time. The count is per account and
 * visible to reloads and other tabs. Nothing is ever erased after wrong attempts.
 * An attempt counts as wrong before it's made, and the count is undone if it was right, so closing the tab in the
 * middle doesn't help. The caller holds the account's write lock, so tabs can't take turns.
 */
export class Attempts {
  readonly #clock: Clock
  readonly #values: LocalValues
  /** This page's own count, in case the stored one is removed. */
  readonly #here = new Map<string, Count>()

  constructor(clock: Clock, values: LocalValues) {
    this.#clock = clock
    this.#values = values
  }

  /**
   * Counts the attempt that comes next.
   * @throws VaultError OPERATION_FAILED with `details.retryAt` (milliseconds since 1970) if it is too soon: don't try
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

  /** Forgets the count of a removed account. */
  forget(address: string): void {
    this.#here.delete(address)
    this.#values.remove(keyOf(address))
  }

  #requireTime(address: string, { failures, at }: Count): void {
    const now = this.#clock.now()
    const wait = waitAfter(failures)
    // If the clock was set back, the wait starts over: it must not become longer, and setting the clock forward again
    // must not end it.
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
      // Someone tampered with the count: use the longest wait, starting now.
      const worst = { failures: MOST, at: this.#clock.now() }
      this.#write(address, worst)
      return worst
    }
    const stored = { ...parsed.output, failures: Math.min(parsed.output.failures, MOST) }
    // Another tab may have counted more or reset the count, or this tab's count couldn't be stored. The newer one wins.
    return stored.at >= here.at ? stored : here
  }

  #write(address: string, value: Count): void {
    this.#here.set(address, value)
    this.#values.write(keyOf(address), JSON.stringify(value))
  }
}
