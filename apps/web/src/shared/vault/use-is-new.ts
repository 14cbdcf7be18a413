import { useVaultSnapshot } from '@keyhole/vault-react'
import { isDrawn } from '../browser/drawn.ts'
import { areTracesFound } from '../browser/known-vault.ts'
import { isOpening } from './is-opening.ts'

/**
 * Whether nothing is known of a vault in this browser. While the vault opens, only if the page came drawn for someone without one: then it
 * stays as it is when the client takes over.
 */
export function useIsNew(): boolean {
  const { phase, lost } = useVaultSnapshot()
  return isOpening(phase) ? isDrawn() && !areTracesFound() : phase === 'empty' && lost.length === 0
}
