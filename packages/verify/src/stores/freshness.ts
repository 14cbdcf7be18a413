import { VerifyError } from '../errors.ts'

/** Seconds without news after which no call under a grant is authorized, unless it is set. */
export const FRESHNESS = 25

/** Milliseconds. One that goes on while the machine sleeps, and one that no one can set back. */
const CLOCKS: readonly (() => number)[] = [Date.now, () => performance.now()]

/** How recent what is known about revocations is. Every clock must agree, so that none of them alone hides a gap. */
export class Freshness {
  readonly seconds: number
  readonly #clocks: readonly (() => number)[]
  #at: readonly number[] | undefined

  constructor(seconds = FRESHNESS, clocks = CLOCKS) {
    if (!(seconds > 0 && Number.isFinite(seconds)))
      throw new VerifyError('INVALID_OPTIONS', '`freshness` is a number of seconds above 0.')
    this.seconds = seconds
    this.#clocks = clocks
  }

  /** The time by each clock. */
  now(): readonly number[] {
    return this.#clocks.map((clock) => clock())
  }

  /** All that was revoked up to then is known. */
  confirm(at: readonly number[] = this.now()): void {
    this.#at = at
  }

  /** @throws VerifyError REVOCATIONS_UNKNOWN if nothing was confirmed for too long. @param source what has to answer */
  check(source: string): void {
    const at = this.#at
    const ages = this.now().map((time, each) => time - (at?.[each] ?? Number.NEGATIVE_INFINITY))
    if (ages.every((age) => age >= 0 && age <= this.seconds * 1_000)) return
    throw new VerifyError(
      'REVOCATIONS_UNKNOWN',
      `The ${source} has not answered for ${this.seconds} seconds, so a grant may have been revoked. Check the connection.`,
    )
  }
}
