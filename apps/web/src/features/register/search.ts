import * as v from 'valibot'

/** What of the register page is looked at. */
export const registerSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['create', 'restore', 'accounts'])), undefined),
})
export type RegisterSearch = v.InferOutput<typeof registerSearch>
