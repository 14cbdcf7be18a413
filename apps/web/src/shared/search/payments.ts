import type { PaymentRecord } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useVaultQuery } from '../vault/vault-query.ts'

/** The payments to search in. They can be many, so they are read only while they are wanted. */
export function useFoundPayments(isWanted: boolean): readonly PaymentRecord[] | undefined {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const enabled = isWanted && phase === 'unlocked'
  return useVaultQuery('payments for search', () => vault.payments.list(), { enabled }).data
}
