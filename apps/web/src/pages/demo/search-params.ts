import * as v from 'valibot'

/** Which part of the demo is shown. */
export const demoSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['functions', 'attacks', 'app', 'shop', 'benchmark'])), undefined),
  /** The name of a function. The page checks whether it exists; that list isn't loaded before the first paint. */
  fn: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))), undefined),
})
export type DemoSearch = v.InferOutput<typeof demoSearch>
