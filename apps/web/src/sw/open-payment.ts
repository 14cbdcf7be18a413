import type { ReadRequest } from './payment-request.ts'

/** What a site is told: the authorisation, or in one word why there is none. */
export type PaymentAnswer =
  | { readonly status: 'authorized'; readonly token: string }
  | { readonly status: 'declined' | 'timeout' | 'aborted' | 'refused' }

/** What the worker says to the window, over the port that the window gave it. */
export type ToWindow =
  | { readonly type: 'nothing' }
  /** @property life the lock that this worker holds for as long as it lives: whoever gets it knows that the worker is gone */
  | { readonly type: 'request'; readonly request: ReadRequest; readonly until: number; readonly life: string }
  | { readonly type: 'sign' }
  | { readonly type: 'not claimed' }
  | { readonly type: 'claimed before' }
  | { readonly type: 'ended'; readonly status: 'timeout' | 'aborted' | 'answered' }

/** Longest authorisation that is passed on, in characters. */
const LONGEST_TOKEN = 16_384

interface Surroundings {
  /** Milliseconds since 1970. */
  now(): number
  setTimer(run: () => void, milliseconds: number): () => void
  /** Notes that this request is let sign, durably and before it is. @returns false if it was before */
  claim(): Promise<boolean>
  /** Takes that back: nothing was signed. */
  giveBack(): Promise<void>
}

/**
 * One payment that is asked for, from the browser's event to its one answer. Whoever is first ends it: the window's answer, the
 * site's abort, the end of the time. Once the window was let sign, neither abort nor time end it: money may be on its way.
 */
export class OpenPayment {
  readonly answer: Promise<PaymentAnswer>
  readonly #request: ReadRequest
  readonly #surroundings: Surroundings
  #until = Number.POSITIVE_INFINITY
  #settle: (answer: PaymentAnswer) => void = () => undefined
  #stopTimer: () => void = () => undefined
  #port: MessagePort | undefined
  #heard = Promise.resolve()
  #state: 'asked' | 'signing' | 'ended' = 'asked'
  /** Whether it is noted down that this request was let sign, by this very payment. */
  #isClaimed = false
  #signed: string | undefined

  constructor(request: ReadRequest, surroundings: Surroundings) {
    this.#request = request
    this.#surroundings = surroundings
    this.answer = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Its window is there: from now on the site's patience counts. An answer before would leave the window standing without a payment. */
  opened(): void {
    // The site may have taken it back before.
    if (this.#state === 'ended') return
    this.#until = this.#surroundings.now() + this.#request.timeLimit
    this.#startTimer()
  }

  /**
   * Hands the request over: to one window, once.
   * @param life the name of the lock that this worker holds
   * @returns false if it was before, or is over
   */
  handOver(port: MessagePort, life: string): boolean {
    if (this.#port !== undefined || this.#state === 'ended') return false
    this.#port = port
    // One after the other: what follows a word finds what came of it.
    port.onmessage = ({ data }) => {
      this.#heard = this.#heard.then(() => this.#hear(data))
    }
    this.#tell({ type: 'request', request: this.#request, until: this.#until, life })
    return true
  }

  /** The site takes its request back. @returns whether it still could */
  abort(): boolean {
    return this.#endFor('aborted')
  }

  /** The window is gone, or never came. What was signed in it before is the answer: it was counted, and its owner saw it. */
  gone(): void {
    const token = this.#signed
    this.#end(token === undefined ? { status: 'declined' } : { status: 'authorized', token })
  }

  async #hear(message: unknown): Promise<void> {
    if (message === 'sign') return await this.#letSign()
    if (message === 'not signed') return await this.#notSigned()
    if (message === 'decline') return this.#answer({ status: 'declined' })
    if (message === 'refuse') return this.#answer({ status: 'refused' })
    // Only what this window was let sign.
    if (this.#state !== 'signing' || typeof message !== 'object' || message === null) return
    const token: unknown = Reflect.get(message, 'token')
    if (typeof token !== 'string' || token === '' || token.length > LONGEST_TOKEN) return
    // An answer closes the window: while it still shows what was signed, that is only kept.
    if (Reflect.get(message, 'later') === true) this.#signed = token
    else this.#answer({ status: 'authorized', token })
  }

  async #letSign(): Promise<void> {
    if (this.#state !== 'asked' || !('payment' in this.#request)) return
    this.#state = 'signing'
    this.#stopTimer()
    const leave = await this.#claim()
    // Its window is gone, and was not told: nothing was signed.
    if (this.#state !== 'signing') return await this.#giveBack()
    // Where there is none its answer comes when that has been read.
    if (leave !== 'sign') this.#goBack()
    this.#tell({ type: leave })
  }

  /** One signature for a request: the note is there before the leave is given, and goes only where nothing was signed. */
  async #claim(): Promise<'sign' | 'claimed before' | 'not claimed'> {
    if (this.#isClaimed) return 'sign'
    try {
      this.#isClaimed = await this.#surroundings.claim()
      return this.#isClaimed ? 'sign' : 'claimed before'
    } catch {
      return 'not claimed'
    }
  }

  /** The window's word that nothing was signed. */
  async #notSigned(): Promise<void> {
    if (this.#state !== 'signing' || this.#signed !== undefined) return
    await this.#giveBack()
    this.#goBack()
  }

  /** A note that cannot be taken back forbids every other payment to sign, not this one. */
  async #giveBack(): Promise<void> {
    if (!this.#isClaimed) return
    this.#isClaimed = await this.#surroundings.giveBack().then(
      () => false,
      () => true,
    )
  }

  #goBack(): void {
    if (this.#state !== 'signing') return
    this.#state = 'asked'
    this.#startTimer()
  }

  #startTimer(): void {
    const left = Math.max(0, this.#until - this.#surroundings.now())
    this.#stopTimer = this.#surroundings.setTimer(() => this.#endFor('timeout'), left)
  }

  #endFor(status: 'timeout' | 'aborted'): boolean {
    if (this.#state !== 'asked') return false
    this.#tell({ type: 'ended', status })
    this.#end({ status })
    return true
  }

  /** What the window says, and to the window that it was heard. */
  #answer(answer: PaymentAnswer): void {
    this.#tell({ type: 'ended', status: 'answered' })
    this.#end(answer)
  }

  #tell(message: ToWindow): void {
    this.#port?.postMessage(message)
  }

  #end(answer: PaymentAnswer): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#stopTimer()
    if (this.#port) this.#port.onmessage = null
    this.#settle(answer)
  }
}
