import * as v from 'valibot'
import { FUNCTION_NAMES } from './functions/index.ts'

/** What of the demo is looked at. */
export const demoSearch = v.object({
  tab: v.fallback(v.optional(v.picklist(['functions', 'attacks', 'benchmark'])), undefined),
  fn: v.fallback(v.optional(v.picklist(FUNCTION_NAMES)), undefined),
})
export type DemoSearch = v.InferOutput<typeof demoSearch>
