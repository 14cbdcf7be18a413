import * as v from 'valibot'

/** What of the identity page is looked at. What does not fit is dropped, never fatal. */
export const identitySearch = v.object({
  tab: v.fallback(
    v.optional(
      v.picklist(['overview', 'keys', 'grants', 'received', 'check', 'unlock', 'backup', 'activity']),
    ),
    undefined,
  ),
  /** CID of the token shown opened. */
  token: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(128))), undefined),
  /** CID of the token being narrowed. */
  narrow: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(128))), undefined),
})
export type IdentitySearch = v.InferOutput<typeof identitySearch>
