import type { KeyVault } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useQuery } from '@tanstack/react-query'

interface VaultCheck<T> {
  /** Undefined until it is there; never the answer about something else. */
  readonly found: T | undefined
  /** Why there is none. */
  readonly error: unknown
}

/**
 * What the open vault finds about something that is shown, such as the chain of a token: asked once while it is shown, and not again with
 * each change of the account, as `useVaultQuery` does. It is asked anew when it is shown anew, or when another account is opened. Refusals
 * are shown, not tried again.
 * @param about a name for what is asked, and what it is asked about; undefined while there is nothing to ask
 * @param check asks; given a signal, for what takes long, that it is not shown any more
 */
export function useVaultCheck<T>(
  about: readonly [name: string, ...subject: readonly string[]] | undefined,
  check: (vault: KeyVault, left: () => AbortSignal) => Promise<T>,
): VaultCheck<T> {
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const { data, error } = useQuery({
    queryKey: ['check', address ?? '', ...(about ?? [])],
    // The signal is taken only by who asks for it: to take it is to have the question given up when nobody looks.
    queryFn: (context) => check(vault, () => context.signal),
    enabled: about !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })
  return { found: data, error: error ?? undefined }
}
