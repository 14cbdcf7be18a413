import type { ReadRequest } from './payment-request.ts'

/** The answer to a site: the authorisation, or one word for why there is none. */
export type PaymentAnswer =
  | { readonly status: 'authorized'; readonly token: string }
  | { readonly status: 'declined' | 'timeout' | 'aborted' | 'refused' }

/** Messages from the worker to the window, over the window's port. */
export type ToWindow =
  | { readonly type: 'nothing' }
  /** @property life a lock that this worker holds as long as it lives: if you get it, the worker is gone */
  | { readonly type: 'request'; readonly request: ReadRequest; readonly until: number; readonly life: string }
  | { readonly type: 'sign' }
  | { readonly type: 'not claimed' }
  | { readonly type: 'claimed before' }
  | { readonly type: 'ended'; readonly status: 'timeout' | 'aborted' | 'answered' }

/** The longest authorisation that is passed on, in characters. */
const LONGEST_TOKEN = 16_384

interface Surroundings {
  /** Milliseconds since 1970. */
  now(): number
  setTimer(run: () => void, milliseconds: number): () => void
  /** Records durably that this request may be signed, before it is. @returns false if that was recorded before */
  claim(): Promise<boolean>
  /** Removes that record, because nothing was signed. */
  giveBack(): Promise<void>
}

/**
 * One requested payment, from the browser's event to its one answer. The first of these ends it: the window's answer, the site's abort, or
 * the time limit. Once the window may sign, neither abort nor time ends it, because money may be on its way.
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
  /** Whether this payment recorded that the request may be signed. */
  #isClaimed = false
  #signed: string | undefined

  constructor(request: ReadRequest, surroundings: Surroundings) {
    this.#request = request
    this.#surroundings = surroundings
    this.answer = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** The window has opened, so the site's time limit starts. An earlier answer would leave a window without a payment. */
  opened(): void {
    // The site may already have taken it back.
    if (this.#state === 'ended') return
    this.#until = this.#surroundings.now() + this.#request.timeLimit
    this.#startTimer()
  }

  /**
   * Hands the request to one window, once.
   * @param life the name of the lock that this worker holds
   * @returns false if that happened before, or it is over
   */
  handOver(port: MessagePort, life: string): boolean {
    if (this.#port !== undefined || this.#state === 'ended') return false
    this.#port = port
    // One at a time, so that each message sees the result of the one before.
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

  /** The window is gone, or never opened. If something was signed in it, that is the answer: it was counted, and its owner saw it. */
  gone(): void {
    const token = this.#signed
    this.#end(token === undefined ? { status: 'declined' } : { status: 'authorized', token })
  }

  async #hear(message: unknown): Promise<void> {
    if (message === 'sign') return await this.#letSign()
    if (message === 'not signed') return await this.#notSigned()
    if (message === 'decline') return this.#answer({ status: 'declined' })
    if (message === 'refuse') return this.#answer({ status: 'refused' })
    // Only what this window was allowed to sign.
    if (this.#state !== 'signing' || typeof message !== 'object' || message === null) return
    const token: unknown = Reflect.get(message, 'token')
    if (typeof token !== 'string' || token === '' || token.length > LONGEST_TOKEN) return
    // An answer closes the window. While it still shows what was signed, only keep it.
    if (Reflect.get(message, 'later') === true) this.#signed = token
    else this.#answer({ status: 'authorized', token })
  }

  async #letSign(): Promise<void> {
    if (this.#state !== 'asked' || !('payment' in this.#request)) return
    this.#state = 'signing'
    this.#stopTimer()
    const leave = await this.#claim()
    // Its window is gone and wasn't told, so nothing was signed.
    if (this.#state !== 'signing') return await this.#giveBack()
    // Without permission, the answer comes when the person has read why.
    if (leave !== 'sign') this.#goBack()
    this.#tell({ type: leave })
  }

  /** One signature per request: the record exists before permission is given, and is removed only if nothing was signed. */
  async #claim(): Promise<'sign' | 'claimed before' | 'not claimed'> {
    if (this.#isClaimed) return 'sign'
    try {
      this.#isClaimed = await this.#surroundings.claim()
      return this.#isClaimed ? 'sign' : 'claimed before'
    } catch {
      return 'not claimed'
    }
  }

  /** The window says that nothing was signed. */
  async #notSigned(): Promise<void> {
    if (this.#state !== 'signing' || this.#signed !== undefined) return
    await this.#giveBack()
    this.#goBack()
  }

  /** A record that can't be removed blocks every other payment from signing, but not this one. */
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

  /** Gives the site the window's answer, and tells the window. */
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
