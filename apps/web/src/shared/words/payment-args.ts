import * as v from 'valibot'
import { isCurrency } from './currency.ts'

/** How much goes to whom. The amount is in minor units. */
const terms = {
  payee: v.string(),
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  currency: v.pipe(v.string(), v.check(isCurrency)),
}

/** What a request says about its payment, also while it is still being filled in. */
export const paymentTerms = v.object({ ...terms, order: v.fallback(v.optional(v.string()), undefined) })

export type PaymentTerms = v.InferOutput<typeof paymentTerms>

/** The arguments of a request for a payment. It says no more than these. */
export const paymentArgs = v.strictObject({ ...terms, order: v.string() })

export type PaymentArgs = v.InferOutput<typeof paymentArgs>
