import { useEffect, useState } from 'react'
import { type Found, find } from '../../shared/search/find.ts'

/** How many are shown: who wants more goes to the search page. */
const MOST = 8

interface FoundInVault {
  /** Whether what is there belongs to an older query. */
  readonly pending: boolean
  readonly found: readonly Found[]
}

interface Answer {
  readonly query: string
  readonly where: string
  readonly found: readonly Found[]
}

/**
 * What the vault holds that fits a query; what fitted the last one stands until the answer is there.
 * @param where the account and whether it is locked
 */
export function useFound(query: string, where: string): FoundInVault {
  const [answer, setAnswer] = useState<Answer>({ query: '', where, found: [] })
  useEffect(() => {
    if (query === '') return
    let current = true
    find(query, MOST).then(
      (found) => current && setAnswer({ query, where, found }),
      // What cannot be read is said by the pages that list it; here there is then nothing to choose.
      () => current && setAnswer({ query, where, found: [] }),
    )
    return () => {
      current = false
    }
  }, [query, where])
  if (query === '') return { pending: false, found: [] }
  // What was found in an open vault is not shown of a locked one.
  if (answer.where !== where) return { pending: true, found: [] }
  return { pending: answer.query !== query, found: answer.found }
}
