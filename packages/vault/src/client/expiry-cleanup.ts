import type { Clock } from '../base/clock.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { aboutExpiry, sizeOf } from '../storage/expiry.ts'
import { withCleanupLock, withWriteLock } from '../storage/write-lock.ts'
import type { ClientListener } from './client-listener.ts'
import type { ClockWitness } from './clock-witness.ts'

/** Deletes what has expired, while the clock is trusted, and restores what a wrong clock has deleted. */
export class ExpiryCleanup {
  readonly #clock: Clock
  readonly #witness: ClockWitness
  readonly #listener: ClientListener
  readonly #opened: () => OpenStorage | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** @param opened the open account's database, if any */
  constructor(
    clock: Clock,
    witness: ClockWitness,
    listener: ClientListener,
    opened: () => OpenStorage | undefined,
  ) {
    this.#clock = clock
    this.#witness = witness
    this.#listener = listener
    this.#opened = opened
  }

  /** Deletes what has expired. @returns how many tokens and sessions */
  async remove(storage: OpenStorage): Promise<number> {
    if (storage.isCopy) return 0
    return await withCleanupLock(storage.address, () => this.#expire(storage))
  }

  async #expire(storage: OpenStorage): Promise<number> {
    const restored = await storage.restoreUnexpired(this.#clock.now())
    if (restored > 0) this.#listener.restored?.(restored)
    let removed = 0
    // If nothing is due, there's no need to ask the server for the time.
    if (sizeOf(await storage.readExpired(this.#clock.now(), 1)) === 0) {
      await this.#witness.attend(storage)
      return removed
    }
    const now = await this.#witness.reading(storage)
    if (now === undefined) return removed
    for (;;) {
      const expiry = await storage.readExpired(now)
      if (sizeOf(expiry) === 0) return removed
      const batch = storage.expiryBatch(expiry)
      if (this.#listener.expire && this.#opened() === storage) {
        await this.#listener.expire(aboutExpiry(expiry), batch)
      } else await withWriteLock(storage.address, () => storage.writeBatch(batch))
      removed += expiry.tokens.length + expiry.sessions.length
    }
  }

  /** Checks the clock for a newly opened account, and restores what a wrong one hid. Never fails. */
  async attend(storage: OpenStorage): Promise<void> {
    try {
      await this.#witness.attend(storage)
      const restored = await storage.restoreUnexpired(this.#clock.now())
      if (restored > 0 && this.#opened() === storage) this.#listener.restored?.(restored)
    } catch {
      // The next clean-up repeats this; until then nothing is deleted early.
    }
  }

  /** Deletes what has expired in the open account, if any, again and again. @param interval in milliseconds */
  start(interval: number): void {
    this.#timer = setInterval(() => {
      const storage = this.#opened()
      if (!storage) return
      this.remove(storage).then(
        (count) => count > 0 && this.#listener.expired?.(count),
        // Only logged: every verifier refuses what has expired, deleted or not.
        (error: unknown) => console.error('Cleanup of expired data failed:', error),
      )
    }, interval)
    // A pending clean-up shouldn't keep a Node process alive.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
