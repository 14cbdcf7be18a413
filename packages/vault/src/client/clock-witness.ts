import { seqOf } from '../activity/activity-log.ts'
import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How far a clock may stand behind the last moment that was believed. */
const BACK = HOUR
/** How long an account may rest until its clock needs a second witness. */
const LONGEST_REST = 30 * DAY
/** How far a clock may run away from the running time while Keyhole is open: a machine that slept looks the same. */
const LONGEST_JUMP = DAY
/** How far a clock may differ from the server's. */
const SERVER_DIFFERENCE = HOUR

const keyOf = (address: string) => `keyhole:clock:${address}`

/**
 * Decides whether a reading of the wall clock may delete anything. Anyone can set that clock, so it needs a witness: the
 * moment that was believed last (at first the log's lines), the time that this page has been running, or the server.
 */
export class ClockWitness {
  readonly #clock: Clock
  readonly #values: LocalValues
  readonly #serverTime: (() => Promise<number | undefined>) | undefined
  #wall: number
  #monotonic: number

  /** @param serverTime the server's clock in milliseconds since 1970; undefined where it cannot be asked */
  constructor(clock: Clock, values: LocalValues, serverTime?: () => Promise<number | undefined>) {
    this.#clock = clock
    this.#values = values
    this.#serverTime = serverTime
    this.#wall = clock.now()
    this.#monotonic = clock.monotonic()
  }

  /**
   * Reads the clock, and remembers it where it can be believed. First of all when an account is opened, before anything of
   * this visit is written: a wrong clock must not vouch for itself with the lines that it dates.
   */
  async attend(storage: OpenStorage): Promise<void> {
    const now = this.#clock.now()
    const ran = this.#hasRun(now)
    if ((await this.#follows(storage, now)) && ran) this.#believe(storage.address, now)
  }

  /**
   * The clock's reading, in milliseconds since 1970, where it may delete; undefined where a witness speaks against it.
   * The server is asked, and its word counts more than this browser's.
   */
  async reading(storage: OpenStorage): Promise<number | undefined> {
    const before = this.#clock.now()
    const server = await this.#serverTime?.().catch(() => undefined)
    const now = this.#clock.now()
    const ran = this.#hasRun(now)
    const follows = await this.#follows(storage, now)
    const isPlausible =
      server === undefined
        ? ran && follows
        : before >= server - SERVER_DIFFERENCE && now <= server + SERVER_DIFFERENCE
    if (!isPlausible) return undefined
    this.#believe(storage.address, now)
    return now
  }

  /** Forgets what was believed of an account that is gone. */
  forget(address: string): void {
    this.#values.remove(keyOf(address))
  }

  /** Whether the clock went on as the running time did since it was read last. */
  #hasRun(now: number): boolean {
    const monotonic = this.#clock.monotonic()
    const jump = now - this.#wall - (monotonic - this.#monotonic)
    this.#wall = now
    this.#monotonic = monotonic
    return Math.abs(jump) <= LONGEST_JUMP
  }

  /** Whether a reading comes soon enough after the last moment that was believed, and not before it. */
  async #follows(storage: OpenStorage, now: number): Promise<boolean> {
    let last = this.#believed(storage.address)
    if (last === undefined) {
      last = await lastInOrder(storage)
      if (last !== undefined) this.#believe(storage.address, last)
    }
    return last === undefined || comesAfter(last, now)
  }

  #believed(address: string): number | undefined {
    const text = this.#values.read(keyOf(address))
    return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined
  }

  #believe(address: string, moment: number): void {
    this.#values.write(keyOf(address), String(Math.floor(moment)))
  }
}

function comesAfter(last: number, now: number): boolean {
  return now >= last - BACK && now <= last + LONGEST_REST
}

/**
 * When the newest line of the log was written that follows the ones before it without a leap. Where there is no log: when
 * the account was used last.
 */
async function lastInOrder(storage: OpenStorage): Promise<number | undefined> {
  const times = (await storage.readMetadataUnder('activity:'))
    .flatMap(({ key, updatedAt }) => {
      const seq = seqOf(key)
      return seq === undefined ? [] : [{ seq, updatedAt }]
    })
    .sort((one, other) => one.seq - other.seq)
    .map(({ updatedAt }) => updatedAt)
  let last = times[0]
  if (last === undefined) return (await storage.readState())?.lastAccessed
  for (const time of times) {
    if (!comesAfter(last, time)) break
    last = Math.max(last, time)
  }
  return last
}
