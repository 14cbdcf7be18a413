import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useVaultQuery } from '../vault/vault-query.ts'
import { isNotedUnconfirmed } from './unconfirmed-code.ts'

/** Whether the open account's recovery code is unconfirmed: no one has shown that they saved it. Undefined until known. */
export function useUnconfirmedCode(): 'unconfirmed' | 'fine' | undefined {
  const vault = useVault()
  const { phase, address } = useVaultSnapshot()
  const { data, failed } = useVaultQuery(
    'recovery-code',
    async () => (await vault.unlockMethods.recoveryCodeConfirmed()) ?? !isNotedUnconfirmed(address),
    { enabled: phase === 'unlocked' },
  )
  if (data === undefined && failed === undefined) return undefined
  return data === false ? 'unconfirmed' : 'fine'
}
