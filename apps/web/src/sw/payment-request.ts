// Reads what the browser says about a requested payment. W3C Payment Handler API, section 6.

/** The parts of a `PaymentRequestEvent` used here, because the DOM's types lack it. Its texts come from the site. */
export interface PaymentEventInit {
  readonly topOrigin: string
  readonly paymentRequestOrigin: string
  readonly paymentRequestId: string
  readonly methodData: readonly { readonly supportedMethods: string; readonly data?: unknown }[]
  readonly total: { readonly currency: string; readonly value: string }
}

/** A payment as a site asks for it. The enclave decides whether its amount, currency and order are valid. */
export interface AskedPayment {
  /** The page's origin as the browser reports it: host in punycode, without a trailing slash. */
  readonly origin: string
  readonly value: string
  readonly currency: string
  readonly order: string
  /** The key that the site says it signs its receipt with. */
  readonly receiptKey?: string
}

/**
 * Why a request is not shown for approval. `frame`: a frame of another site asks in the page's name. `method`: it is for another method,
 * or for this one twice. `malformed`: its parts are invalid.
 */
export type RequestProblem = 'frame' | 'method' | 'malformed'

export type ReadRequest = (
  | { readonly payment: AskedPayment }
  | { readonly problem: RequestProblem; readonly origin: string | undefined }
) & {
  /** How long the site waits for an answer, in milliseconds. */
  readonly timeLimit: number
}

/** The default and longest time that a site waits: ten minutes. */
export const LONGEST_WAIT = 600_000
/** The longest text accepted from a site. The limit for signing is lower. */
const LONGEST_TEXT = 1024

/**
 * An origin as the browser serialises it (WHATWG HTML, 7.5), from an origin or a URL of its root.
 * @returns undefined if it isn't a site's origin: an opaque one, another scheme, or more than an origin
 */
export function readOrigin(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LONGEST_TEXT) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  return text === url.origin || text === `${url.origin}/` ? url.origin : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_TEXT

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readTimeLimit(wish: unknown): number | undefined {
  if (wish === undefined) return LONGEST_WAIT
  if (typeof wish !== 'number' || !Number.isSafeInteger(wish) || wish < 0) return undefined
  return Math.min(wish, LONGEST_WAIT)
}

/**
 * Reads an event of the browser. In its `data` the site may set an `order` (default: the request's id), a `timeout` in milliseconds and a
 * `receiptKey`. Everything else is ignored.
 * @param method the payment method's identifier: its URL
 */
export function readPaymentEvent(event: PaymentEventInit, method: string): ReadRequest {
  const origin = readOrigin(event.topOrigin)
  const refuse = (problem: RequestProblem): ReadRequest => ({ problem, origin, timeLimit: LONGEST_WAIT })
  if (origin === undefined) return refuse('malformed')
  if (readOrigin(event.paymentRequestOrigin) !== origin) return refuse('frame')
  const { methodData, total, paymentRequestId: id } = event
  if (!Array.isArray(methodData)) return refuse('malformed')
  const [own, second] = methodData.filter((each) => isRecord(each) && each.supportedMethods === method)
  if (!isRecord(own) || second !== undefined) return refuse('method')
  const data = own.data ?? {}
  if (!isRecord(data)) return refuse('malformed')
  const order = data.order ?? id
  const timeLimit = readTimeLimit(data.timeout)
  const { receiptKey } = data
  if (timeLimit === undefined || !isText(id) || id === '') return refuse('malformed')
  if (receiptKey !== undefined && !isText(receiptKey)) return refuse('malformed')
  if (!isText(order) || !isRecord(total) || !isText(total.value) || !isText(total.currency))
    return refuse('malformed')
  const named = receiptKey === undefined ? {} : { receiptKey }
  return { payment: { origin, value: total.value, currency: total.currency, order, ...named }, timeLimit }
}
