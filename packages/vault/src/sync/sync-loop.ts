import type { Clock } from '../base/clock.ts'
import { isRefused } from './device-calls.ts'
import type { DeviceSession } from './device-session.ts'
import type { DevicesState, DevicesWaitFor, KnownDevice } from './devices-state.ts'
import { RelayFailure, type RelayWhy } from './relay-failure.ts'

/** How often the relay is read without a hint, in milliseconds: a hint may be withheld. */
const POLL = 60_000
/** The first wait after a failure, in milliseconds. It doubles up to the longest. */
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 300_000
/** The longest wait if the relay is busy. Sending goes on where it stopped. */
const LONGEST_BUSY = 30_000
/** So many hints are followed at once, and then one in this time, in milliseconds. */
const MOST_HINTS = 60
const HINT_EVERY = 1_000

/** The rule that a call breaks if the device's permission was revoked. */
export const REVOKED = 'Revoked'

/** What devices wait for, by why a relay failed. */
export const WAITS: Readonly<Record<RelayWhy, DevicesWaitFor | undefined>> = {
  network: 'network',
  busy: 'relay_busy',
  full: 'relay_full',
  refused: 'relay_refuses',
  clock: 'clock',
  nonsense: 'relay_nonsense',
  // Read again, and propose again.
  conflict: undefined,
  unsure: 'network',
}

export interface LoopParts {
  readonly session: Pick<
    DeviceSession,
    | 'open'
    | 'settle'
    | 'meet'
    | 'waiting'
    | 'status'
    | 'isRemoved'
    | 'isUnnamed'
    | 'headsDiffer'
    | 'tooLong'
    | 'untold'
    | 'hinted'
    | 'unheard'
    | 'isInStep'
  > & { readonly codes: Pick<DeviceSession['codes'], 'areThere'> }
  readonly clock: Clock
  /** Runs a step when nothing else is done with the session. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>
  /** Listens for hints until the stream ends. @throws RelayFailure */
  readonly watch: (hint: () => void) => Promise<never>
  /** Resolves once nothing that a person waits for is being written: an unlock begins this, and goes on for a moment. */
  readonly ready: () => Promise<void>
  /** Marks what no device has written, if that wasn't done. */
  readonly prepare: () => Promise<void>
  /** The devices, with their names. */
  readonly devices: () => Promise<readonly KnownDevice[]>
  /** Shows how far it is. */
  readonly show: (state: Omit<DevicesState, 'isOn' | 'relay'>) => void
  readonly signal: AbortSignal
}

/** Keeps a device in step in the background, until its signal is aborted. Never rejects. */
export class SyncLoop {
  readonly #parts: LoopParts
  #wake = () => {}
  #isWoken = false
  /** Whether it was woken because the relay may have something new. */
  #isHinted = false
  #isOpen = false
  /** Whether it was one of the account's devices when `prepare` ran. */
  #isPrepared = false
  /** When the relay may be asked again, by the monotonic clock. */
  #notBefore = 0
  #failures = 0
  /** Until when earlier hints have used up what may be followed at once, by the monotonic clock. */
  #hintsUntil = Number.NEGATIVE_INFINITY
  /** Whether a hint is followed a little later. */
  #isHintWaiting = false
  #lastRead: number | undefined
  #waitsFor: DevicesWaitFor | undefined
  #isWatching = false
  #seen: Pick<DevicesState, 'devices' | 'toSend'> = { devices: [], toSend: 0 }
  #failedLooks = 0

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  /** Something was changed here, or there may be something new: go on now. */
  nudge(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** The network is back: don't wait any longer. */
  retry(): void {
    this.#notBefore = 0
    this.nudge()
  }

  async run(): Promise<void> {
    const { signal, clock } = this.#parts
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    while (!signal.aborted) {
      this.#isWoken = false
      this.#isHinted = false
      await this.#parts.inTurn(() => this.#step())
      if (signal.aborted) return
      await this.#parts.inTurn(() => this.#show())
      const wait = this.#notBefore - clock.monotonic()
      await this.#pause(wait > 0 ? Math.min(wait, POLL) : POLL)
    }
  }

  async #step(): Promise<void> {
    const { session, clock, ready, prepare, signal } = this.#parts
    try {
      if (!this.#isOpen) {
        await ready()
        if (signal.aborted) return
        await session.open()
        await prepare()
        this.#isOpen = true
        this.#isPrepared = session.status?.is_member ?? false
      }
      // First what needs no relay: then it's stored, whatever the relay does.
      await session.settle()
      if (this.#waitsFor === 'storage') this.#waitsFor = undefined
      if (clock.monotonic() < this.#notBefore || session.isRemoved) return
      await session.meet()
      if (!this.#isPrepared && session.status?.is_member) {
        // A device that joined just now learns it from the relay. Now it can say that it's there.
        await prepare()
        this.#isPrepared = true
        this.#isWoken = true
      }
      this.#failures = 0
      this.#waitsFor = session.isUnnamed ? 'unnamed' : session.headsDiffer ? 'heads' : undefined
      this.#lastRead = clock.now()
      this.#watch()
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    const { signal, clock } = this.#parts
    if (signal.aborted) return
    this.#failures += 1
    const doubled = Math.min(FIRST_WAIT * 2 ** (this.#failures - 1), LONGEST_WAIT)
    if (!(error instanceof RelayFailure)) {
      // The enclave may have more than what is stored.
      this.#isOpen = false
      if (isRefused(error, 'NoDevice') && this.#failures < 4) {
        // Another tab has changed the account, and this one's enclave has opened it again.
        this.#isWoken = true
        return
      }
      this.#waitsFor = 'storage'
      this.#notBefore = clock.monotonic() + doubled
      return
    }
    this.#waitsFor = error.rule === REVOKED ? 'relay_revoked' : WAITS[error.why]
    // A conflict is solved by reading. If it goes on, that is the relay's doing.
    const isOurs = error.why === 'conflict' && this.#failures < 4
    const busy = error.wait ?? Math.min(doubled, LONGEST_BUSY)
    this.#notBefore = clock.monotonic() + (error.why === 'busy' ? busy : isOurs ? 0 : doubled)
    if (isOurs) this.#isWoken = true
  }

  /** Listens for hints in the background; reads anyway when it ends. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    const { watch, signal } = this.#parts
    watch(() => this.#hinted())
      .catch(() => undefined)
      .then(() => {
        this.#isWatching = false
        this.#parts.session.unheard()
        // The next reading listens again.
        if (!signal.aborted) this.#parts.clock.after(FIRST_WAIT, () => this.nudge())
      })
  }

  /** A hint may be false, and a relay may send any number of them. */
  #hinted(): void {
    const { clock, session } = this.#parts
    session.hinted()
    const now = clock.monotonic()
    this.#hintsUntil = Math.max(this.#hintsUntil, now - MOST_HINTS * HINT_EVERY) + HINT_EVERY
    if (this.#hintsUntil <= now) {
      this.#follow()
      return
    }
    this.#hintsUntil = Math.min(this.#hintsUntil, now + HINT_EVERY)
    // Reading tells everything, so one more is enough for all hints until then.
    if (this.#isHintWaiting) return
    this.#isHintWaiting = true
    clock.after(HINT_EVERY, () => {
      this.#isHintWaiting = false
      this.#follow()
    })
  }

  #follow(): void {
    this.#isHinted = true
    this.#wake()
  }

  async #pause(milliseconds: number): Promise<void> {
    // A hint of what was read and used meanwhile, such as one of what this device has sent, needs no other reading.
    const isNew = this.#isHinted && !this.#parts.session.isInStep
    if (this.#isWoken || isNew || this.#parts.signal.aborted) return
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(milliseconds, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
    this.#wake = () => {}
  }

  async #show(): Promise<void> {
    const { session, show, signal } = this.#parts
    const { status } = session
    const isKnown = await this.#look()
    // If the account was locked meanwhile, whoever did it has said so.
    if (signal.aborted) return
    const waitsFor = this.#waitsFor ?? (isKnown ? undefined : 'storage')
    // A limited device reads nothing of what the others share.
    const unread = status && !status.limited.includes(status.device) ? status.unread : 0
    try {
      show({
        ...(waitsFor && { waitsFor }),
        isRemoved: session.isRemoved,
        ...this.#seen,
        tooLong: session.tooLong,
        ...(session.untold > 0 && { untold: session.untold }),
        ...(session.codes.areThere !== undefined && { recoveryCodeOpens: session.codes.areThere }),
        ...(unread > 0 && { unread }),
        missing: status?.missing ?? 0,
        wentBack: status?.went_back ?? 0,
        ...(status?.state_was_shown && { relayKnowsMethods: true }),
        ...(this.#lastRead !== undefined && { lastRead: this.#lastRead }),
      })
    } catch {
      // Whoever is shown it must not stop the loop.
    }
  }

  /** Looks up what is shown. @returns whether it could; else what was seen last is shown, and the next step looks again */
  async #look(): Promise<boolean> {
    const { session, devices } = this.#parts
    try {
      this.#seen = { devices: await devices(), toSend: await session.waiting() }
      this.#failedLooks = 0
      return true
    } catch (error) {
      this.#failedLooks += 1
      if (isRefused(error, 'NoDevice') && this.#failedLooks < 4) {
        // Another tab has changed the account, and this one's enclave has opened it again.
        this.#isOpen = false
        this.#isWoken = true
      }
      return false
    }
  }
}
