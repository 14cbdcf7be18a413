import * as v from 'valibot'

/** What of the demo is looked at. */
export const demoSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['functions', 'attacks', 'app', 'shop', 'benchmark'])), undefined),
  /** A name of a function; the page knows which there are, and they are not on the way to the first paint. */
  fn: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))), undefined),
})
export type DemoSearch = v.InferOutput<typeof demoSearch>
