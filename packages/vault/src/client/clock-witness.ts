import { seqOf } from '../activity/activity-log.ts'
import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How far the clock may be behind the last trusted time. */
const BACK = HOUR
/** How long an account may go unused before its clock needs confirmation. */
const LONGEST_REST = 30 * DAY
/** How far the clock may drift from elapsed time while Keyhole is open. A machine that slept looks the same. */
const LONGEST_JUMP = DAY
/** How far the clock may differ from the server's. */
const SERVER_DIFFERENCE = HOUR

const keyOf = (address: string) => `keyhole:clock:${address}`

/**
 * Decides whether a reading of the wall clock is trusted enough to delete anything. Anyone can set that clock, so it is
 * compared with the last trusted time (at first from the log), with how long this page has been running, or with the
 * server.
 */
export class ClockWitness {
  readonly #clock: Clock
  readonly #values: LocalValues
  readonly #serverTime: (() => Promise<number | undefined>) | undefined
  #wall: number
  #monotonic: number

  /** @param serverTime the server's clock in milliseconds since 1970; undefined if it can't be asked */
  constructor(clock: Clock, values: LocalValues, serverTime?: () => Promise<number | undefined>) {
    this.#clock = clock
    this.#values = values
    this.#serverTime = serverTime
    this.#wall = clock.now()
    this.#monotonic = clock.monotonic()
  }

  /**
   * Reads the clock, and remembers it if it's plausible. Runs first when an account is opened, before this visit writes
   * any log lines: a wrong clock must not be confirmed by its own timestamps.
   */
  async attend(storage: OpenStorage): Promise<void> {
    const now = this.#clock.now()
    const ran = this.#hasRun(now)
    if ((await this.#follows(storage, now)) && ran) this.#believe(storage.address, now)
  }

  /**
   * The clock's reading in milliseconds since 1970 if it may be used for deleting; otherwise undefined. Asks the
   * server, whose answer overrides this browser's evidence.
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

  /** Forgets the trusted time of a removed account. */
  forget(address: string): void {
    this.#values.remove(keyOf(address))
  }

  /** Whether the clock moved as much as elapsed time since it was last read. */
  #hasRun(now: number): boolean {
    const monotonic = this.#clock.monotonic()
    const jump = now - this.#wall - (monotonic - this.#monotonic)
    this.#wall = now
    this.#monotonic = monotonic
    return Math.abs(jump) <= LONGEST_JUMP
  }

  /** Whether a reading is not before the last trusted time, nor too long after it. */
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
 * The time of the newest log line reached without a large gap between lines. Without a log: when the account was last
 * used.
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
