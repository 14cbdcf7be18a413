import { useVaultSnapshot } from '@keyhole/vault-react'
import { isVaultKnown } from '../browser/known-vault.ts'
import { isOpening } from './is-opening.ts'

/**
 * Whether nothing is known of a vault in this browser. While the vault opens, as far as the browser remembers: pages come drawn for
 * someone without a vault, and stay as they are when the client takes over.
 */
export function useIsNew(): boolean {
  const { phase, lost } = useVaultSnapshot()
  return isOpening(phase) ? !isVaultKnown() : phase === 'empty' && lost.length === 0
}
