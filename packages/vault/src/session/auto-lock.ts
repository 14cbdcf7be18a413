import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'

/** Fifteen minutes, in milliseconds. */
export const DEFAULT_AUTO_LOCK = 900_000
/** One minute, in milliseconds. */
export const MIN_AUTO_LOCK = 60_000
/** How long before it locks a vault says so, in milliseconds. */
export const AUTO_LOCK_WARNING = 20_000
/** Uses that follow each other faster than this are one, in milliseconds. */
const USES_APART = 1_000
/** After a lock that failed, in milliseconds. */
const TRY_AGAIN = 1_000

const keyOf = (address: string) => `keyhole:used:${address}`

/** What an auto-lock locks. */
export interface Lockable {
  /** Locks the account, in every tab. */
  lock(): Promise<void>
  /** The warning stands, and when it will lock (milliseconds since 1970); undefined: it does not stand. */
  warn(locksAt: number | undefined): void
  /** Tells the other tabs when the account was used. */
  tell(usedAt: number): void
}

/**
 * Locks an account that nobody has used for a while. The moment of the last use is shared by the tabs of an account:
 * they tell each other, and one that slept finds it in its `LocalValues`, from where locking removes it. So a tab that missed all
 * of it still learns that the account was locked.
 *
 * Deadlines are wall-clock, since timers stand still while a machine sleeps; a clock that is set back gains nothing,
 * since the monotonic one counts as well.
 */
export class AutoLock {
  readonly #clock: Clock
  readonly #values: LocalValues
  readonly #vault: Lockable
  #limit: number | null = DEFAULT_AUTO_LOCK
  #address: string | undefined
  #usedAt = 0
  #usedMonotonic = 0
  /** Our own mark is where other tabs see it: once it is gone, one of them has locked. */
  #marked = false
  #stopTimer: (() => void) | undefined
  #locking: Promise<void> | undefined

  constructor(clock: Clock, values: LocalValues, vault: Lockable) {
    this.#clock = clock
    this.#values = values
    this.#vault = vault
  }

  /** Milliseconds without use until it locks; null: never. */
  get limit(): number | null {
    return this.#limit
  }

  set limit(milliseconds: number | null) {
    this.#limit = milliseconds
    this.#schedule()
  }

  /** An account was unlocked just now, here or in another tab. A mark from before that says nothing. */
  begin(address: string): void {
    const mark = this.#readMark(address)
    const now = this.#clock.now()
    const isOld = mark === undefined || (this.#limit !== null && now - mark >= this.#limit)
    this.#watch(address, isOld ? now : mark)
  }

  /** An account was found unlocked: it is as old as its last mark. */
  resume(address: string): void {
    this.#watch(address, this.#readMark(address) ?? this.#clock.now())
  }

  /** No account is unlocked here any more. */
  end(): void {
    this.#address = undefined
    this.#marked = false
    this.#schedule()
  }

  /** The account is locked: its mark goes. @returns whether it was there, that is, nobody else has locked it yet */
  forget(address: string): boolean {
    const was = this.#values.read(keyOf(address)) !== undefined
    this.#values.remove(keyOf(address))
    return was
  }

  /** A person has used the vault. Where its time was up already, it locks instead. */
  touch(): void {
    if (this.#address === undefined) return
    if (this.isDue) {
      void this.check()
      return
    }
    const ago = this.#clock.now() - this.#usedAt
    const warned = this.#remaining() <= AUTO_LOCK_WARNING
    if (warned || ago < 0 || ago >= USES_APART) this.use()
  }

  /** As `touch`, whatever the time is: for what only the account's owner can have done. */
  use(): void {
    if (this.#address === undefined) return
    const now = this.#clock.now()
    this.#take(now)
    this.#mark(this.#address, now)
    this.#vault.tell(now)
    this.#schedule()
  }

  /** Another tab was used at that moment (milliseconds since 1970). */
  heard(usedAt: number): void {
    if (this.#address === undefined || usedAt > this.#clock.now() || usedAt <= this.#usedAt) return
    this.#take(usedAt)
    this.#schedule()
  }

  /** Whether the time is up, or another tab has locked. */
  get isDue(): boolean {
    const address = this.#address
    if (address === undefined) return false
    const mark = this.#readMark(address)
    if (mark === undefined && this.#marked && this.#values.read(keyOf(address)) === undefined) return true
    if (mark !== undefined && mark > this.#usedAt) this.#take(mark)
    return this.#remaining() <= 0
  }

  /** Locks where the time is up, or where another tab has locked. @returns whether it did */
  async check(): Promise<boolean> {
    if (this.#address === undefined) return false
    if (!this.isDue) {
      this.#schedule()
      return false
    }
    this.#locking ??= this.#vault.lock().finally(() => {
      this.#locking = undefined
    })
    try {
      await this.#locking
    } catch {
      // Said by whoever was to lock. It is still due, so it is tried again.
      this.#stopTimer?.()
      this.#stopTimer = this.#clock.after(TRY_AGAIN, () => void this.check())
    }
    return true
  }

  #remaining(): number {
    if (this.#limit === null) return Number.POSITIVE_INFINITY
    const counted = this.#clock.monotonic() - this.#usedMonotonic
    return this.#limit - Math.max(this.#clock.now() - this.#usedAt, counted)
  }

  #watch(address: string, usedAt: number): void {
    this.#address = address
    this.#take(usedAt)
    if (this.#readMark(address) === undefined) this.#mark(address, usedAt)
    else this.#marked = true
    this.#schedule()
  }

  #take(usedAt: number): void {
    const ago = Math.max(this.#clock.now() - usedAt, 0)
    this.#usedAt = usedAt
    this.#usedMonotonic = this.#clock.monotonic() - ago
  }

  #mark(address: string, usedAt: number): void {
    const written = this.#values.write(keyOf(address), String(usedAt))
    if (address === this.#address) this.#marked = written
  }

  /** A mark that is no moment, or one that is still to come, says nothing. */
  #readMark(address: string): number | undefined {
    const text = this.#values.read(keyOf(address))
    if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
    const usedAt = Number(text)
    return usedAt > this.#clock.now() ? undefined : usedAt
  }

  #schedule(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.#address === undefined || this.#limit === null) {
      this.#vault.warn(undefined)
      return
    }
    const remaining = this.#remaining()
    const warned = remaining <= AUTO_LOCK_WARNING
    this.#vault.warn(warned ? this.#clock.now() + Math.max(remaining, 0) : undefined)
    const next = warned ? remaining : remaining - AUTO_LOCK_WARNING
    this.#stopTimer = this.#clock.after(next, () => void this.check())
  }
}
