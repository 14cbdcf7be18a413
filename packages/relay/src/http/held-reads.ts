import type { Bounds } from '../bounds.ts'
import type { RelayStore } from '../stores/store.ts'
import { RelayError } from './answers.ts'

/**
 * A read that comes sooner than this after the last one is told to slow down. A second less than the interval, to allow
 * for clocks and networks. In milliseconds.
 */
const LEAST_INTERVAL = 4_000
/** Longest time that a read is held, in seconds. */
const LONGEST_WAIT = 25
/** Reads held at the same time. Beyond that, reads are answered at once. */
const MOST_HELD = 5_000
/** How often a held read checks the store without a hint, in milliseconds. */
const POLL = 2_000

/** Reads of mailboxes, each held until a message arrives. */
export class HeldReads {
  readonly #store: RelayStore
  readonly #clock: () => number
  readonly #bounds: Bounds
  /** The last read of each mailbox, in order. */
  readonly #reads = new Map<string, { began: number; isHeld: boolean }>()
  #held = 0

  constructor(store: RelayStore, clock: () => number, bounds: Bounds) {
    this.#store = store
    this.#clock = clock
    this.#bounds = bounds
  }

  /**
   * Waits for the message of a mailbox.
   *
   * @param wait in seconds
   * @throws RelayError authorization_pending, slow_down, expired
   */
  async read(mailbox: string, wait: number, signal: AbortSignal): Promise<Uint8Array> {
    const began = this.#clock()
    const last = this.#reads.get(mailbox)
    if (last && (last.isHeld || began - last.began < LEAST_INTERVAL)) {
      last.began = began
      throw new RelayError('slow_down')
    }
    const read = { began, isHeld: true }
    this.#remember(mailbox, read)
    try {
      const longest = this.#held < MOST_HELD ? Math.min(wait, LONGEST_WAIT) * 1_000 : 0
      return await this.#readWithin(mailbox, longest, signal)
    } finally {
      read.isHeld = false
    }
  }

  /** @param longest in milliseconds, by a clock that can't be set */
  async #readWithin(mailbox: string, longest: number, signal: AbortSignal): Promise<Uint8Array> {
    const end = performance.now() + longest
    for (;;) {
      // Watch first, then read: a message that arrives in between is not missed.
      const pause = Math.max(Math.min(end - performance.now(), POLL), 0)
      const { changed, stop } = this.#watch(mailbox, pause, signal)
      try {
        const known = await this.#store.readMailbox(mailbox, this.#clock())
        if (!known) throw new RelayError('expired')
        if (known.message) return known.message
        if (performance.now() >= end || signal.aborted) throw new RelayError('authorization_pending')
        this.#held += 1
        await changed
        this.#held -= 1
      } finally {
        stop()
      }
    }
  }

  /** Resolves when the mailbox may have changed, and after a pause. */
  #watch(mailbox: string, pause: number, signal: AbortSignal) {
    let wake = () => {}
    const changed = new Promise<void>((resolve) => {
      wake = resolve
    })
    const unwatch = this.#store.watch((hint) => {
      if ('missed' in hint || ('mailbox' in hint && hint.mailbox === mailbox)) wake()
    })
    const timer = setTimeout(wake, pause)
    signal.addEventListener('abort', wake)
    const stop = () => {
      unwatch()
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
    }
    return { changed, stop }
  }

  #remember(mailbox: string, read: { began: number; isHeld: boolean }): void {
    this.#reads.delete(mailbox)
    this.#reads.set(mailbox, read)
    for (const [oldest, { began, isHeld }] of this.#reads) {
      const isOver = !isHeld && this.#clock() - began > this.#bounds.mailboxLifetime
      if (!isOver && this.#reads.size <= this.#bounds.mailboxes) break
      this.#reads.delete(oldest)
    }
  }
}
