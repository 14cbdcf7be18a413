import { useVaultSnapshot } from '@keyhole/vault-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'

/** The first part of the key of everything that was read from a vault, so that a lock can drop all of it. */
const FAMILY = 'vault'

interface VaultQueryOptions<T> {
  /** Only while this holds. Default true. */
  readonly enabled?: boolean
  /** Read again also when the tab comes to the front. Default false. */
  readonly onFocus?: boolean
  /** In how many milliseconds to read again what is on its way to something else; undefined where it is not. */
  readonly settlesIn?: (data: T) => number | undefined
}

/**
 * Something read from the vault, under a name: read anew with each new state of the account, while the older answer
 * stands, so that no form falls apart; and never kept across a lock. Refusals are shown, not tried again: the vault
 * answers at once or not at all.
 */
export function useVaultQuery<T>(
  name: string,
  read: () => Promise<T>,
  { enabled = true, onFocus = false, settlesIn }: VaultQueryOptions<T> = {},
) {
  const { address, phase, revision } = useVaultSnapshot()
  const { data, error, refetch } = useQuery({
    queryKey: [FAMILY, address ?? '', name, phase],
    queryFn: read,
    enabled,
    retry: false,
    staleTime: onFocus ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: onFocus,
    refetchInterval: ({ state }) => (state.data === undefined ? false : (settlesIn?.(state.data) ?? false)),
    // Nothing that was read from an open vault lies about unused.
    gcTime: 0,
  })
  const seen = useRef(revision)
  useEffect(() => {
    if (seen.current === revision) return
    seen.current = revision
    if (enabled) void refetch()
  }, [revision, refetch, enabled])
  return { data, failed: error ?? undefined }
}

/** Drops all that was read from an account while it was open. What is read of it now, locked, stays under way. */
export function forgetVaultQueries(client: QueryClient, address: string | undefined): void {
  client.removeQueries({
    predicate: ({ queryKey: [family, of, , phase] }) =>
      family === FAMILY && phase === 'unlocked' && (address === undefined || of === address),
  })
}

/** Reads what is known by a name anew. */
export function useReadAgain(name: string): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === FAMILY && queryKey[2] === name,
    })
  }, [client, name])
}
