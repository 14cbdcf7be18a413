import * as v from 'valibot'

/** The stretches of time that the timeline shows. */
export const SPANS = ['all', 'day', 'week', 'month', 'year'] as const
export type SpanName = (typeof SPANS)[number]

/** The furthest moment that a calendar has, in milliseconds. */
const LAST = 8.64e15

/** How the first page shows what is out there. */
export const homeSearch = v.object({
  view: v.fallback(v.optional(v.picklist(['timeline', 'graph'])), undefined),
  span: v.fallback(v.optional(v.picklist(SPANS)), undefined),
  /** Where a stretch that was moved begins, in milliseconds; absent: around now. */
  from: v.fallback(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(-LAST), v.maxValue(LAST))),
    undefined,
  ),
})
export type HomeSearch = v.InferOutput<typeof homeSearch>
