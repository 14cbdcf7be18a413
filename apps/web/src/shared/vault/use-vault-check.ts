import type { KeyVault } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useQuery } from '@tanstack/react-query'

interface VaultCheck<T> {
  /** Undefined until there is one. Never the answer about something else. */
  readonly found: T | undefined
  /** Why there is none. */
  readonly error: unknown
}

/**
 * Asks the open vault about something on screen, such as a token's chain: once while it is shown, not again with each change of the account
 * as `useVaultQuery` does. It asks again when it is shown again, or another account is opened. Refusals are shown, not retried.
 * @param about a name for the question, and what it is about; undefined while there is nothing to ask
 * @param check asks; gets a signal for when it is no longer shown, for slow checks
 */
export function useVaultCheck<T>(
  about: readonly [name: string, ...subject: readonly string[]] | undefined,
  check: (vault: KeyVault, left: () => AbortSignal) => Promise<T>,
): VaultCheck<T> {
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const { data, error } = useQuery({
    queryKey: ['check', address ?? '', ...(about ?? [])],
    // Read the signal only on request: reading it makes the query cancel when nothing shows it.
    queryFn: (context) => check(vault, () => context.signal),
    enabled: about !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })
  return { found: data, error: error ?? undefined }
}
