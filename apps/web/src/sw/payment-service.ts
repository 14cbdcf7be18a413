import { OpenPayment, type PaymentAnswer } from './open-payment.ts'
import { type PaymentEventInit, readPaymentEvent } from './payment-request.ts'

/** A `PaymentRequestEvent` with its methods. */
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
  /** The page to open for a payment. Its address has nothing of the payment. */
  readonly page: string
  /** Whether a window still exists, by its id. */
  isThere(clientId: string): Promise<boolean>
  /**
   * Records that a site's request may be signed. The record outlives the worker.
   * @returns false if that was recorded before
   */
  claim(origin: string, id: string): Promise<boolean>
  /** Removes that record. */
  giveBack(origin: string, id: string): Promise<void>
  /** The name of a lock that this worker holds from now on until it ends. */
  life(): Promise<string>
  now(): number
  setTimer(run: () => void, milliseconds: number): () => void
}

interface Showing {
  readonly payment: OpenPayment
  /** The window that the browser opened for it. */
  readonly window: Promise<string | undefined>
}

/** How often to check whether the window still exists, in milliseconds. A worker gets no event when it closes. */
const LOOK_EVERY = 500

/**
 * The payments that sites ask for: one at a time, each shown only in the window that its own event opened. Its state lasts for one event,
 * which keeps the worker alive. A worker that ends in between gives no answer.
 */
export class PaymentService {
  readonly #options: PaymentServiceOptions
  #showing: Showing | undefined

  constructor(options: PaymentServiceOptions) {
    this.#options = options
  }

  /** Answers a `paymentrequest`. It always answers, because a site whose handler rejects or stays silent waits forever. */
  async answer(event: PaymentEvent): Promise<PaymentResponse> {
    return { methodName: this.#options.method, details: await this.#decide(event) }
  }

  /** Answers an `abortpayment`. @returns whether the payment could still be taken back */
  abort(): boolean {
    return this.#showing?.payment.abort() ?? false
  }

  /**
   * A window asks for its payment. Only the window that the browser opened for it gets it, and only once. Any other hears what it would
   * hear without a payment.
   * @param clientId from the browser, not from the message
   */
  async handOver(clientId: string, port: MessagePort): Promise<void> {
    const showing = this.#showing
    const isForIt = showing !== undefined && (await showing.window) === clientId
    if (isForIt && showing.payment.handOver(port, await this.#options.life())) return
    port.postMessage({ type: 'nothing' })
    port.close()
  }

  async #decide(event: PaymentEvent): Promise<PaymentAnswer> {
    // Browsers show one payment at a time. If a second one still arrives it is refused, and the first stays.
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

  /** Ends a payment whose window is closed, or never opened. */
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
