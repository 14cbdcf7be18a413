import * as v from 'valibot'
import { historySearch } from '../../features/payments/history/search.ts'
import { cidParam } from '../../shared/text/search-params.ts'

/** What of the payment page is looked at. What does not fit is dropped, never fatal. */
export const paymentSearch = v.object({
  /** The window that the browser opens for a payment. What is paid comes from the service worker, never from here. */
  request: v.fallback(v.optional(v.literal(1)), undefined),
  tab: v.fallback(v.optional(v.picklist(['mandates', 'new', 'history', 'requests'])), undefined),
  /** CID of the mandate shown opened. */
  mandate: cidParam,
  /** CID of the payment shown opened. */
  payment: cidParam,
  ...historySearch,
})
export type PaymentSearch = v.InferOutput<typeof paymentSearch>
