import type { UnlockMethod } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { useVaultQuery } from '../vault/vault-query.ts'

/** The open account's unlock methods, with labels while unlocked. Undefined until they are read. */
export function useMethods(): { methods: readonly UnlockMethod[] | undefined; failed: unknown } {
  const vault = useVault()
  const { data, failed } = useVaultQuery('methods', () => vault.unlockMethods.list())
  return { methods: data, failed }
}
