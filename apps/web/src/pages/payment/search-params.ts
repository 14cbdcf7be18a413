import * as v from 'valibot'
import { historySearch } from '../../features/payments/history/search-params.ts'
import { cidParam } from '../../shared/text/search-params.ts'

/** What of the payment page is looked at. What does not fit is dropped, never fatal. */
export const paymentSearch = v.object({
  /** The window that the browser opens for a payment. What is paid comes from the service worker, never from here. */
  request: v.fallback(v.optional(v.literal(1)), undefined),
  /** `requests` is an older address of the requests under Grants. */
  tab: v.fallback(v.optional(v.picklist(['mandates', 'new', 'history', 'requests'])), undefined),
  /** CID of the mandate that is looked at. */
  mandate: cidParam,
  /** CID of the payment that is looked at. */
  payment: cidParam,
  ...historySearch,
})
export type PaymentSearch = v.InferOutput<typeof paymentSearch>
