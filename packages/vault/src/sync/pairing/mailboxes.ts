// The mailboxes of one pairing (docs/relay.md, "Mailboxes"; docs/sync.md, "Adding a device"). Both devices have the keys
// of all four from the code. The relay is not trusted: it can withhold a message, and fill a mailbox with nonsense.
import * as v from 'valibot'
import { RelayFailure } from '../relay-failure.ts'
import { jsonOf, LONGEST_ANSWER, PATIENCE, parsed, RelayHttp, type RelayPlace } from '../relay-http.ts'
import { pairingRefused } from './pairing-refusals.ts'

/** Which of the four messages, each in a mailbox with a key of its own. */
export type MessageNumber = 1 | 2 | 3 | 4
export type MailboxCall =
  | { readonly open: Record<never, never> }
  | { readonly read: { readonly wait?: number } }

/** How long the relay may hold a read, in seconds, so that a message arrives at once. */
const HOLD = 20
/** The time between two reads, and how much it grows if the relay asks to slow down (RFC 8628, section 3.5), in milliseconds. */
const INTERVAL = 5_000
/** The first wait after the relay couldn't be reached, in milliseconds; it doubles up to the longest. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 15_000
/** How often a message that has to be there is asked for again if the relay asks to slow down. */
const MOST_TRIES = 3
/** How long a mailbox may be open, in milliseconds, whatever the relay says. */
const LONGEST_LIFE = 600_000
/** The longest message, in characters: 16 KiB in base64url. */
const LONGEST_MESSAGE = 22_000

const opened = v.object({ expires_in: v.pipe(v.number(), v.minValue(0)) })
const read = v.object({ message: v.pipe(v.string(), v.maxLength(LONGEST_MESSAGE), v.regex(/^[\w-]+$/)) })

export interface MailboxesOptions extends RelayPlace {
  /** An invocation by the key of a message's mailbox, and that mailbox's DID. @param relay the relay's DID */
  readonly authorize: (
    message: MessageNumber,
    call: MailboxCall,
    relay: string,
  ) => Promise<{ readonly token: string; readonly mailbox: string }>
}

export class Mailboxes {
  readonly #options: MailboxesOptions
  readonly #http: RelayHttp
  /** Until when each mailbox is open, by the monotonic clock, if this side has opened it. */
  readonly #ends = new Map<MessageNumber, number>()

  constructor(options: MailboxesOptions) {
    this.#options = options
    this.#http = new RelayHttp(options)
  }

  /** Opens a mailbox. @returns how long it stays open, in milliseconds @throws RelayFailure */
  async open(message: MessageNumber): Promise<number> {
    const { token } = await this.#options.authorize(message, { open: {} }, this.#http.audience)
    const { expires_in: seconds } = parsed(opened, await this.#post('', { token }, PATIENCE))
    const life = Math.min(seconds * 1_000, LONGEST_LIFE)
    this.#ends.set(message, this.#options.clock.monotonic() + life)
    return life
  }

  /**
   * Leaves a message in its open mailbox.
   * @throws RelayFailure; VaultError `PairingCodeUsed` if another message is there, `PairingNotFound` if it isn't open
   */
  async write(message: MessageNumber, text: string): Promise<void> {
    const { mailbox } = await this.#options.authorize(message, { read: {} }, this.#http.audience)
    try {
      await this.#post('/message', { body: { mailbox, message: text } }, PATIENCE)
    } catch (error) {
      if (saysThat(error, 'full')) throw pairingRefused('PairingCodeUsed')
      if (saysThat(error, 'unknown_mailbox')) throw pairingRefused('PairingNotFound')
      throw error
    }
  }

  /** A message that has to be there already. @throws RelayFailure; VaultError `PairingNotFound` */
  async take(message: MessageNumber): Promise<string> {
    for (let tries = MOST_TRIES; ; tries -= 1) {
      try {
        return await this.#read(message, 0)
      } catch (error) {
        if (saysThat(error, 'expired', 'authorization_pending')) throw pairingRefused('PairingNotFound')
        // Someone has just read it: perhaps this device, a moment ago.
        if (!saysThat(error, 'slow_down') || tries === 0) throw error
        await this.#pause(INTERVAL)
      }
    }
  }

  /**
   * Waits for a message until its mailbox closes, also while the relay can't be reached.
   * @throws RelayFailure; VaultError `PairingExpired`; the signal's reason
   */
  async wait(message: MessageNumber): Promise<string> {
    const { clock } = this.#options
    const end = this.#ends.get(message) ?? clock.monotonic() + (await this.open(message))
    let [interval, pause] = [INTERVAL, FIRST_PAUSE]
    for (;;) {
      const began = clock.monotonic()
      try {
        return await this.#read(message, HOLD)
      } catch (error) {
        if (saysThat(error, 'expired')) throw pairingRefused('PairingExpired')
        const isThere = saysThat(error, 'authorization_pending', 'slow_down')
        if (!isThere && !isPassing(error)) throw error
        if (saysThat(error, 'slow_down')) interval += INTERVAL
        const next = isThere ? began + interval : clock.monotonic() + pause
        pause = isThere ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE)
        if (next >= end) throw isThere ? pairingRefused('PairingExpired') : error
        await this.#pause(next - clock.monotonic())
      }
    }
  }

  /**
   * Leaves a message, and tries again until its mailbox closes if the relay can't be reached.
   * @param life how long that may take, in milliseconds
   * @throws as `write`; the signal's reason
   */
  async deliver(message: MessageNumber, text: string, life = LONGEST_LIFE): Promise<void> {
    await this.#until(this.#options.clock.monotonic() + life, () => this.write(message, text), isPassing)
  }

  /**
   * Does something after a message has come, and tries again until its mailbox closes if it fails with what may pass.
   * @param passes what may pass beside a relay that can't be reached
   * @throws what it failed with last; the signal's reason
   */
  async whileOpen<T>(
    message: MessageNumber,
    work: () => Promise<T>,
    passes: (error: unknown) => boolean,
  ): Promise<T> {
    const end = this.#ends.get(message) ?? Number.NEGATIVE_INFINITY
    return await this.#until(end, work, (error) => isPassing(error) || passes(error))
  }

  /** @param end by the monotonic clock */
  async #until<T>(end: number, work: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
    const { clock } = this.#options
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await work()
      } catch (error) {
        if (!passes(error) || clock.monotonic() + pause >= end) throw error
        await this.#pause(pause)
      }
    }
  }

  async #read(message: MessageNumber, wait: number): Promise<string> {
    const { token } = await this.#options.authorize(message, { read: { wait } }, this.#http.audience)
    return parsed(read, await this.#post('/read', { token }, PATIENCE)).message
  }

  async #post(
    path: string,
    { token, body }: { readonly token?: string; readonly body?: object },
    patience: number,
  ): Promise<unknown> {
    return await this.#http.limited(patience, async (signal) => {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const init = { method: 'POST', ...(body && { body: JSON.stringify(body) }) }
      const response = await this.#http.ask(`/mailboxes${path}`, authorization, init, signal)
      return response.status === 204 ? undefined : await jsonOf(response, 2 * LONGEST_ANSWER)
    })
  }

  async #pause(milliseconds: number): Promise<void> {
    const { clock, signal } = this.#options
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        cancel()
        reject(signal.reason)
      }
      const cancel = clock.after(Math.max(milliseconds, 0), () => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}

function saysThat(error: unknown, ...errors: readonly string[]): boolean {
  return error instanceof RelayFailure && error.answer !== undefined && errors.includes(error.answer)
}

/** Whether trying again may help. */
function isPassing(error: unknown): boolean {
  return error instanceof RelayFailure && (error.why === 'network' || error.why === 'busy')
}
