import { useVaultSnapshot } from '@keyhole/vault-react'
import { useMemo } from 'react'
import type { Acquaintance } from '../words/who.ts'

/** Whom the account at hand knows as "you": every one of its keys. */
export function useAcquaintance(): Acquaintance {
  const { keys, issuerDid } = useVaultSnapshot()
  return useMemo(() => {
    const own = new Set(keys.map((key) => key.did))
    if (issuerDid !== undefined) own.add(issuerDid)
    return { own }
  }, [keys, issuerDid])
}
