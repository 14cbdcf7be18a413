import * as v from 'valibot'
import { activitySearch } from '../activity/search.ts'

/** A CID, as far as a link can tell. */
const cid = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{8,128}$/))), undefined)

/** What of the identity page is looked at. What does not fit is dropped, never fatal. */
export const identitySearch = v.object({
  tab: v.fallback(
    v.optional(
      v.picklist([
        'overview',
        'keys',
        'grants',
        'received',
        'sessions',
        'check',
        'unlock',
        'backup',
        'activity',
      ]),
    ),
    undefined,
  ),
  /** CID of the token shown opened. */
  token: cid,
  /** CID of the token being narrowed. */
  narrow: cid,
  /** CID of the token being used. */
  use: cid,
  /** Only tokens that still open something. */
  show: v.fallback(v.optional(v.literal('open')), undefined),
  ...activitySearch,
})
export type IdentitySearch = v.InferOutput<typeof identitySearch>
