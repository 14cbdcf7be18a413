import { useEffect, useState } from 'react'
import { type Found, find } from '../search/find.ts'

/** How many are shown: who wants more goes to the search page. */
const MOST = 8

interface Things {
  /** Whether what is there belongs to an older query. */
  readonly pending: boolean
  readonly found: readonly Found[]
}

/** What the vault holds that fits a query; what fitted the last one stands until the answer is there. */
export function useThings(query: string): Things {
  const [answer, setAnswer] = useState<{ query: string; found: readonly Found[] }>({ query: '', found: [] })
  useEffect(() => {
    if (query === '') return
    let current = true
    find(query, MOST).then(
      (found) => current && setAnswer({ query, found }),
      // What cannot be read is said by the pages that list it; here there is then nothing to choose.
      () => current && setAnswer({ query, found: [] }),
    )
    return () => {
      current = false
    }
  }, [query])
  if (query === '') return { pending: false, found: [] }
  return { pending: answer.query !== query, found: answer.found }
}
