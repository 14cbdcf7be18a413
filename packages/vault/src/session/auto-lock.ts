import type { Clock } from '../base/clock.ts'
import type { LocalValues } from '../base/local-values.ts'

/** Fifteen minutes, in milliseconds. */
export const DEFAULT_AUTO_LOCK = 900_000
/** One minute, in milliseconds. */
export const MIN_AUTO_LOCK = 60_000
/** How long before locking the vault warns, in milliseconds. */
export const AUTO_LOCK_WARNING = 20_000
/** Uses closer together than this count as one, in milliseconds. */
const USES_APART = 1_000
/** Wait after a failed lock, in milliseconds. */
const TRY_AGAIN = 1_000

const keyOf = (address: string) => `keyhole:used:${address}`

/** What an auto-lock locks. */
export interface Lockable {
  /** Locks the account, in every tab. */
  lock(): Promise<void>
  /** Shows or hides the warning. @param locksAt when it will lock, in milliseconds since 1970; undefined hides it */
  warn(locksAt: number | undefined): void
  /** Tells the other tabs when the account was used. */
  tell(usedAt: number): void
}

/**
 * Locks an account that hasn't been used for a while. Tabs of an account share the time of last use: they tell each
 * other, and store it in `LocalValues` as a mark for a tab that slept. Locking removes the mark, so a tab that missed
 * every message still learns that the account was locked.
 * Deadlines use the wall clock, because timers stop while a machine sleeps. Setting the clock back doesn't help,
 * because the monotonic clock counts too.
 */
export class AutoLock {
  readonly #clock: Clock
  readonly #values: LocalValues
  readonly #vault: Lockable
  #limit: number | null = DEFAULT_AUTO_LOCK
  #address: string | undefined
  #usedAt = 0
  #usedMonotonic = 0
  /** Our mark is stored where other tabs see it. If it's gone, one of them has locked. */
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

  /** An account was just unlocked, here or in another tab. A mark from before doesn't count. */
  begin(address: string): void {
    const mark = this.#readMark(address)
    const now = this.#clock.now()
    const isOld = mark === undefined || (this.#limit !== null && now - mark >= this.#limit)
    this.#watch(address, isOld ? now : mark)
  }

  /** An account was found unlocked: its last mark says when it was used. */
  resume(address: string): void {
    this.#watch(address, this.#readMark(address) ?? this.#clock.now())
  }

  /** No account is unlocked here any more. */
  end(): void {
    this.#address = undefined
    this.#marked = false
    this.#schedule()
  }

  /** Removes the mark of a locked account. @returns whether there was one, so whether this is the first tab to lock */
  forget(address: string): boolean {
    const was = this.#values.read(keyOf(address)) !== undefined
    this.#values.remove(keyOf(address))
    return was
  }

  /** A person used the vault. If its time is already up, it locks instead. */
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

  /** Like `touch`, even if time is up: for actions only the account's owner can take. */
  use(): void {
    if (this.#address === undefined) return
    const now = this.#clock.now()
    this.#take(now)
    this.#mark(this.#address, now)
    this.#vault.tell(now)
    this.#schedule()
  }

  /** Another tab was used at that time (milliseconds since 1970). */
  heard(usedAt: number): void {
    if (this.#address === undefined || usedAt > this.#clock.now() || usedAt <= this.#usedAt) return
    this.#take(usedAt)
    this.#schedule()
  }

  /** Whether time is up or another tab has locked. */
  get isDue(): boolean {
    const address = this.#address
    if (address === undefined) return false
    const mark = this.#readMark(address)
    if (mark === undefined && this.#marked && this.#values.read(keyOf(address)) === undefined) return true
    if (mark !== undefined && mark > this.#usedAt) this.#take(mark)
    return this.#remaining() <= 0
  }

  /** Locks if time is up or another tab has locked. @returns whether it was due */
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
      // `lock` reported the error. It's still due, so try again.
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

  /** Ignores a mark that isn't a time, or is in the future. */
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
