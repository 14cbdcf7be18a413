import * as v from 'valibot'
import { dayParam } from '../../shared/text/search-params.ts'
import type { ActivityFilter } from './filter.ts'

/** No one searches for longer text. */
const LONGEST = 200

/** The log's filters in the address. */
export const activitySearch = {
  find: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(LONGEST))), undefined),
  act: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/))), undefined),
  outcome: v.fallback(v.optional(v.picklist(['done', 'refused'])), undefined),
  from: dayParam,
  to: dayParam,
}
export type ActivitySearch = v.InferOutput<ReturnType<typeof v.object<typeof activitySearch>>>

/** Reads the filters from an address. */
export function filterFrom({ find, act, outcome, from, to }: ActivitySearch): ActivityFilter {
  return { text: find ?? '', act: act ?? 'all', outcome: outcome ?? 'all', from: from ?? '', to: to ?? '' }
}

/** The filters for the address, leaving out unset ones. */
export function searchFrom({ text, act, outcome, from, to }: ActivityFilter): ActivitySearch {
  return {
    ...(text.trim() !== '' && { find: text.slice(0, LONGEST) }),
    ...(act !== 'all' && { act }),
    ...(outcome !== 'all' && { outcome }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
  }
}
