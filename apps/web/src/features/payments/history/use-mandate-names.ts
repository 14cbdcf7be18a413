import { useTokens } from '@keyhole/vault-react'
import { useMemo } from 'react'

/** What the person calls each mandate, by its CID; those without a name are left out. */
export function useMandateNames(): ReadonlyMap<string, string> {
  const { tokens } = useTokens()
  return useMemo(() => {
    const named = tokens.filter(({ command }) => command.startsWith('/payment'))
    return new Map(named.flatMap(({ cid, label }) => (label === undefined ? [] : [[cid, label] as const])))
  }, [tokens])
}
