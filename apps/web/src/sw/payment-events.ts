import { claimRequest, giveBackRequest } from './claimed-requests.ts'
import { type PaymentEvent, type PaymentResponse, PaymentService } from './payment-service.ts'

/** The parts of the Payment Handler API used here. The DOM's types lack them. */
interface CanMakePaymentEvent extends ExtendableEvent {
  respondWith(canMakePayment: boolean): void
}
interface AbortPaymentEvent extends ExtendableEvent {
  respondWith(isAborted: Promise<boolean> | boolean): void
}
interface PaymentRequestEvent extends ExtendableEvent, PaymentEvent {
  respondWith(response: Promise<PaymentResponse>): void
}
interface PaymentEvents {
  canmakepayment: CanMakePaymentEvent
  abortpayment: AbortPaymentEvent
  paymentrequest: PaymentRequestEvent
}

/** The page that shows a payment. It gets its payment from this worker, not from its address. */
const PAGE = '/payment?request=1'
/** A window's message asking for its payment. Its port is for the answer. */
const ASKING = 'which payment is this window for'

let life: Promise<string> | undefined

/**
 * A lock that this worker never releases. The browser releases it when the worker ends, which tells anyone waiting for it. A port doesn't
 * report that its other end is gone.
 */
function holdLife(): Promise<string> {
  life ??= new Promise((hold) => {
    const name = `keyhole-worker-${crypto.randomUUID()}`
    void navigator.locks.request(name, () => {
      hold(name)
      return new Promise(() => {})
    })
  })
  return life
}

/** Handles the payment method `/payment` of this origin: W3C Payment Handler API. */
export function handlePayments(worker: ServiceWorkerGlobalScope): void {
  const service = new PaymentService({
    method: new URL('/payment', worker.location.origin).href,
    page: PAGE,
    isThere: async (id) => (await worker.clients.get(id)) !== undefined,
    claim: claimRequest,
    giveBack: giveBackRequest,
    life: holdLife,
    now: () => Date.now(),
    setTimer: (run, milliseconds) => {
      const timer = setTimeout(run, milliseconds)
      return () => clearTimeout(timer)
    },
  })
  const on = <Name extends keyof PaymentEvents>(name: Name, handle: (event: PaymentEvents[Name]) => void) =>
    worker.addEventListener(name as string, handle as (event: Event) => void)

  // Always true: the answer must not tell a site whether there is a vault.
  on('canmakepayment', (event) => event.respondWith(true))
  on('paymentrequest', (event) => event.respondWith(service.answer(event)))
  on('abortpayment', (event) => event.respondWith(service.abort()))

  worker.addEventListener('message', (event) => {
    const [port] = event.ports
    if (event.data !== ASKING || port === undefined || !(event.source instanceof WindowClient)) return
    event.waitUntil(service.handOver(event.source.id, port))
  })
}
