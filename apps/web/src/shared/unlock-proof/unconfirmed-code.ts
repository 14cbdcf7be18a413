import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useVaultQuery } from '../vault/vault-query.ts'

// What clients of before noted in the clear: taken over by the next confirmation, and not written any more.
const PREFIX = 'keyhole:unkept:'

/** Lets go of what a client of before has noted of an account's recovery code. */
export function forgetUnconfirmedCode(address: string): void {
  try {
    localStorage.removeItem(PREFIX + address)
  } catch {
    // Nothing was noted either.
  }
}

function isNoted(address: string | undefined): boolean {
  try {
    return address !== undefined && localStorage.getItem(PREFIX + address) !== null
  } catch {
    return false
  }
}

/** Whether the account that is open has a recovery code of which nobody has shown that it was kept. */
export function useUnconfirmedCode(): boolean {
  const vault = useVault()
  const { phase, address } = useVaultSnapshot()
  const { data } = useVaultQuery(
    'recovery-code',
    async () => (await vault.unlockMethods.recoveryCodeConfirmed()) ?? !isNoted(address),
    { enabled: phase === 'unlocked' },
  )
  return data === false
}
