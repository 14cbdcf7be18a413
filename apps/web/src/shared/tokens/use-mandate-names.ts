import { useMemo } from 'react'
import { useLook } from '../search-index/use-answer.ts'

/** What the person calls each mandate, by its CID; those without a name are left out. No token is read for it. */
export function useMandateNames(): ReadonlyMap<string, string> {
  const { answer } = useLook({ ask: 'mandateNames' })
  return useMemo(() => new Map(answer?.tokens.map(({ cid, label }) => [cid, label])), [answer])
}
