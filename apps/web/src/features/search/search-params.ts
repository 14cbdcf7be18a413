import * as v from 'valibot'
import { recognise } from '../../shared/words/recognise.ts'

/** The search in the address: words and filters. A token's text never goes into an address. */
export const searchSearch = v.object({
  q: v.fallback(
    v.optional(
      v.pipe(
        v.string(),
        v.maxLength(500),
        v.check((text) => recognise(text).kind !== 'token'),
      ),
    ),
    undefined,
  ),
})
export type SearchSearch = v.InferOutput<typeof searchSearch>
