import * as v from 'valibot'
import { dayParam } from '../../../shared/text/search-params.ts'

/** The filters of the history, as they stand in the address. */
export const historySearch = {
  /** DID of who was paid. */
  payee: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^did:web:[a-z0-9.%A-Z-]{1,260}$/))), undefined),
  currency: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))), undefined),
  receipt: v.fallback(v.optional(v.picklist(['ok', 'error', 'none'])), undefined),
  /** CID of the mandate that it was paid under, or "hand" for those under none. */
  under: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^(?:hand|[A-Za-z0-9]{8,128})$/))), undefined),
  /** First and last day. */
  from: dayParam,
  to: dayParam,
}

/** Which payments are shown: what is not said is not asked for. */
export type HistoryFilter = v.InferOutput<ReturnType<typeof v.object<typeof historySearch>>>

/** The filters that an address asks for, and nothing else of it. */
export function filterFrom({ payee, currency, receipt, under, from, to }: HistoryFilter): HistoryFilter {
  return { payee, currency, receipt, under, from, to }
}
