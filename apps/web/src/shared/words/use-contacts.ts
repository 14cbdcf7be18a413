import { useVaultSnapshot } from '@keyhole/vault-react'
import { useMemo } from 'react'
import type { Contacts } from './who.ts'

/** Whom the account at hand knows as "you": every one of its keys. */
export function useContacts(): Contacts {
  const { keys, issuerDid } = useVaultSnapshot()
  // By their text: every change of the account gives the list anew, and mostly with the same keys.
  const dids = [...keys.map(({ did }) => did), issuerDid ?? ''].join(' ')
  return useMemo(() => ({ own: new Set(dids.split(' ').filter((did) => did !== '')) }), [dids])
}
