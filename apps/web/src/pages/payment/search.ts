import * as v from 'valibot'
import { cidParam, dayParam } from '../../shared/text/search-params.ts'

/** What of the payment page is looked at. What does not fit is dropped, never fatal. */
export const paymentSearch = v.object({
  /** The window that the browser opens for a payment. What is paid comes from the service worker, never from here. */
  request: v.fallback(v.optional(v.literal(1)), undefined),
  tab: v.fallback(v.optional(v.picklist(['mandates', 'new', 'history', 'requests'])), undefined),
  /** CID of the mandate shown opened. */
  mandate: cidParam,
  /** CID of the payment shown opened. */
  payment: cidParam,
  /** DID of who was paid. */
  payee: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^did:web:[a-z0-9.%A-Z-]{1,260}$/))), undefined),
  currency: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))), undefined),
  receipt: v.fallback(v.optional(v.picklist(['ok', 'error', 'none'])), undefined),
  /** CID of the mandate that it was paid under, or "hand" for those under none. */
  under: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^(?:hand|[A-Za-z0-9]{8,128})$/))), undefined),
  /** First and last day. */
  from: dayParam,
  to: dayParam,
})
export type PaymentSearch = v.InferOutput<typeof paymentSearch>
