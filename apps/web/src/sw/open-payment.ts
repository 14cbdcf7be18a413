import type { ReadRequest } from './payment-request.ts'

/** What a site is told: the authorisation, or in one word why there is none. */
export type PaymentAnswer =
  | { readonly status: 'authorized'; readonly token: string }
  | { readonly status: 'declined' | 'timeout' | 'aborted' | 'refused' }

/** What the worker says to the window, over the port that the window gave it. */
export type ToWindow =
  | { readonly type: 'nothing' }
  | { readonly type: 'request'; readonly request: ReadRequest; readonly until: number }
  | { readonly type: 'sign' }
  | { readonly type: 'answered before' }
  | { readonly type: 'ended'; readonly status: 'timeout' | 'aborted' }

/** Longest authorisation that is passed on, in characters. */
const LONGEST_TOKEN = 16_384

interface Surroundings {
  /** Milliseconds since 1970. */
  now(): number
  setTimer(run: () => void, milliseconds: number): () => void
  /** Notes that this request is about to be answered with an authorisation, durably. @returns false if it was before */
  claim(): Promise<boolean>
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
  #state: 'asked' | 'signing' | 'ended' = 'asked'
  #claimed: Promise<boolean> | undefined
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
    this.#until = this.#surroundings.now() + this.#request.timeLimit
    this.#startTimer()
  }

  /** Hands the request over: to one window, once. @returns false if it was before, or is over */
  handOver(port: MessagePort): boolean {
    if (this.#port !== undefined || this.#state === 'ended') return false
    this.#port = port
    port.onmessage = ({ data }) => void this.#hear(data)
    this.#tell({ type: 'request', request: this.#request, until: this.#until })
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
    if (message === 'not signed') return this.#goBack()
    if (message === 'decline') return this.#end({ status: 'declined' })
    if (message === 'refuse') return this.#end({ status: 'refused' })
    // Only what this window was let sign.
    if (this.#state !== 'signing' || typeof message !== 'object' || message === null) return
    const token: unknown = Reflect.get(message, 'token')
    if (typeof token !== 'string' || token === '' || token.length > LONGEST_TOKEN) return
    // An answer closes the window: while it still shows what was signed, that is only kept.
    if (Reflect.get(message, 'later') === true) this.#signed = token
    else this.#end({ status: 'authorized', token })
  }

  async #letSign(): Promise<void> {
    if (this.#state !== 'asked' || !('payment' in this.#request)) return
    this.#state = 'signing'
    this.#stopTimer()
    this.#claimed ??= this.#surroundings.claim().catch(() => false)
    const isFirst = await this.#claimed
    if (this.#state !== 'signing') return
    if (isFirst) return this.#tell({ type: 'sign' })
    // Its answer comes when this has been read.
    this.#goBack()
    this.#tell({ type: 'answered before' })
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
