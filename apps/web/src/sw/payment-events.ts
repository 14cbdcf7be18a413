import { claimRequest, giveBackRequest } from './claimed-requests.ts'
import { type PaymentEvent, type PaymentResponse, PaymentService } from './payment-service.ts'

/** What the DOM's types leave out of the Payment Handler API, as far as it is used here. */
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

/** The page that shows a payment. It takes its payment from this worker, not from its address. */
const PAGE = '/payment?request=1'
/** What a window says that wants its payment, with the port on which it is to get it. */
const ASKING = 'which payment is this window for'

let life: Promise<string> | undefined

/**
 * A lock of this worker alone, which no one lets go of: the browser does when the worker ends, and whoever waits for it then knows. A
 * port whose other end is gone tells nobody.
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

  // Always: the answer must not tell a site whether there is a vault.
  on('canmakepayment', (event) => event.respondWith(true))
  on('paymentrequest', (event) => event.respondWith(service.answer(event)))
  on('abortpayment', (event) => event.respondWith(service.abort()))

  worker.addEventListener('message', (event) => {
    const [port] = event.ports
    if (event.data !== ASKING || port === undefined || !(event.source instanceof WindowClient)) return
    event.waitUntil(service.handOver(event.source.id, port))
  })
}
