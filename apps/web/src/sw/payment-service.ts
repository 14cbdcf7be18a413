import { OpenPayment, type PaymentAnswer } from './open-payment.ts'
import { type PaymentEventInit, readPaymentEvent } from './payment-request.ts'

/** A `PaymentRequestEvent`, with what it can do. */
export interface PaymentEvent extends PaymentEventInit {
  openWindow(url: string): Promise<{ readonly id: string } | null>
}

/** W3C Payment Handler API, `PaymentHandlerResponse`. */
export interface PaymentResponse {
  readonly methodName: string
  readonly details: PaymentAnswer
}

export interface PaymentServiceOptions {
  /** The payment method's identifier: its URL. */
  readonly method: string
  /** What is opened for a payment. Nothing of the payment is in it. */
  readonly page: string
  /** Whether a window is still there, by its id. */
  isThere(clientId: string): Promise<boolean>
  /**
   * Notes that a site's request is let sign, beyond the worker's life.
   * @returns false where it was before
   */
  claim(origin: string, id: string): Promise<boolean>
  /** Takes that back. */
  giveBack(origin: string, id: string): Promise<void>
  /** The name of a lock that this worker holds from now on until it is ended. */
  life(): Promise<string>
  now(): number
  setTimer(run: () => void, milliseconds: number): () => void
}

interface Showing {
  readonly payment: OpenPayment
  /** The window that the browser opened for it, once it has. */
  readonly window: Promise<string | undefined>
}

/** How often it is looked whether the window is still there, in milliseconds: closing it is no event that a worker hears. */
const LOOK_EVERY = 500

/**
 * The payments that sites ask for: one at a time, each shown in the window that its own event opened and in no other. What it knows
 * it knows for the time of one event, which keeps the worker alive; a worker that is ended in between answers nothing.
 */
export class PaymentService {
  readonly #options: PaymentServiceOptions
  #showing: Showing | undefined

  constructor(options: PaymentServiceOptions) {
    this.#options = options
  }

  /** Answers a `paymentrequest`: always, for a site whose handler rejects or is silent waits for ever. */
  async answer(event: PaymentEvent): Promise<PaymentResponse> {
    return { methodName: this.#options.method, details: await this.#decide(event) }
  }

  /** Answers an `abortpayment`. @returns whether the payment could still be taken back */
  abort(): boolean {
    return this.#showing?.payment.abort() ?? false
  }

  /**
   * A window asks for its payment. Only the one that the browser opened for it gets it, and once; every other hears what it would
   * hear without any payment.
   * @param clientId as the browser gives it, not as the message says
   */
  async handOver(clientId: string, port: MessagePort): Promise<void> {
    const showing = this.#showing
    const isForIt = showing !== undefined && (await showing.window) === clientId
    if (isForIt && showing.payment.handOver(port, await this.#options.life())) return
    port.postMessage({ type: 'nothing' })
    port.close()
  }

  async #decide(event: PaymentEvent): Promise<PaymentAnswer> {
    // Browsers show one payment at a time; whoever gets round that is refused, and what is shown stays.
    if (this.#showing) return { status: 'refused' }
    const { method, page, now, setTimer } = this.#options
    const request = readPaymentEvent(event, method)
    const opened = event.openWindow(page).then(
      (client) => client?.id,
      () => undefined,
    )
    const { paymentRequestId: id } = event
    const payment = new OpenPayment(request, {
      ...{ now, setTimer },
      claim: async () => 'payment' in request && (await this.#options.claim(request.payment.origin, id)),
      giveBack: async () => {
        if ('payment' in request) await this.#options.giveBack(request.payment.origin, id)
      },
    })
    const showing = { payment, window: opened }
    this.#showing = showing
    const stopLooking = this.#follow(showing)
    const answer = await payment.answer
    stopLooking()
    this.#showing = undefined
    return answer
  }

  /** Ends a payment whose window is closed, or was never opened. */
  #follow({ payment, window }: Showing): () => void {
    let stop = () => {}
    let isOver = false
    const look = async (id: string) => {
      if (!(await this.#options.isThere(id))) return payment.gone()
      if (!isOver) stop = this.#options.setTimer(() => void look(id), LOOK_EVERY)
    }
    void window.then((id) => {
      if (id === undefined) return payment.gone()
      payment.opened()
      return look(id)
    })
    return () => {
      isOver = true
      stop()
    }
  }
}
