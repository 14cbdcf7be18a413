import * as v from 'valibot'
import { activitySearch } from '../../features/activity/search-params.ts'
import { cidParam } from '../../shared/text/search-params.ts'
import { SECTION_IDS } from './settings/section.ts'

/** What of the grants, the activity or the settings is looked at. What does not fit is dropped, never fatal. */
export const identitySearch = v.object({
  tab: v.fallback(
    v.optional(
      v.picklist([
        'grants',
        'received',
        'requests',
        'contacts',
        'activity',
        'ask',
        'check',
        'settings',
        ...SECTION_IDS,
      ]),
    ),
    undefined,
  ),
  /** CID of the grant whose page is open, given or received. */
  token: cidParam,
  /** CID of the token being narrowed. */
  narrow: cidParam,
  /** CID of the token being used. */
  use: cidParam,
  /** Only tokens that still open something. */
  show: v.fallback(v.optional(v.literal('open')), undefined),
  /** Id of the contact that is looked at. */
  contact: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[0-9A-Za-z-]{1,64}$/))), undefined),
  ...activitySearch,
})
export type IdentitySearch = v.InferOutput<typeof identitySearch>
