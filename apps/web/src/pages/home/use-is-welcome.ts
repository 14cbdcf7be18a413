import { useVaultSnapshot } from '@keyhole/vault-react'
import { isVaultKnown } from '../../shared/browser/known-vault.ts'

/** Whether the first page is the landing: nothing is known of a vault here. While the vault opens, as far as this browser remembers. */
export function useIsWelcome(): boolean {
  const { phase, lost } = useVaultSnapshot()
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      return !isVaultKnown()
    case 'empty':
      return lost.length === 0
    default:
      return false
  }
}
