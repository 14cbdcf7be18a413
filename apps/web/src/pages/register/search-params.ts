import * as v from 'valibot'

/** What a vault can be brought back from. */
export const ORIGINS = ['file', 'code', 'key', 'device'] as const
export type Origin = (typeof ORIGINS)[number]

/** What of the register page is looked at. */
export const registerSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['create', 'restore', 'accounts'])), undefined),
  /** On the tab "restore": what is at hand. */
  from: v.fallback(v.optional(v.picklist(ORIGINS)), undefined),
})
export type RegisterSearch = v.InferOutput<typeof registerSearch>
