import * as v from 'valibot'

/** What of the payment page is looked at. */
export const paymentSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['new', 'mandates'])), undefined),
  /** CID of the mandate shown opened. */
  token: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(128))), undefined),
})
export type PaymentSearch = v.InferOutput<typeof paymentSearch>
