import * as v from 'valibot'

export const KINDS = ['all', 'grant', 'received', 'key', 'account'] as const
export const STATUSES = ['any', 'live', 'soon', 'ended'] as const
export type Kind = (typeof KINDS)[number]
export type Status = (typeof STATUSES)[number]

/** What is searched for, and how it is narrowed down. */
export const searchSearch = v.object({
  q: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(2000))), undefined),
  kind: v.fallback(v.optional(v.picklist(KINDS)), undefined),
  status: v.fallback(v.optional(v.picklist(STATUSES)), undefined),
})
export type SearchSearch = v.InferOutput<typeof searchSearch>
