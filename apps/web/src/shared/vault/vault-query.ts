import type { VaultSnapshot } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { askAgain } from './ask-again.ts'

/** The first part of the key of everything that was read from a vault, so that a lock can drop all of it. */
const FAMILY = 'vault'

/** The key of what is read from a vault under a name, as it is open at that moment: a lock drops what was read before it. */
export function vaultKey(
  name: string,
  { address, phase }: Pick<VaultSnapshot, 'address' | 'phase'>,
): readonly [family: string, address: string, name: string, phase: string] {
  return [FAMILY, address ?? '', name, phase]
}

interface VaultQueryOptions<T> {
  /** Only while this holds. Default true. */
  readonly enabled?: boolean
  /** Read again also when the tab comes to the front. Default false. */
  readonly onFocus?: boolean
  /** In how many milliseconds to read again what is on its way to something else; undefined where it is not. */
  readonly settlesIn?: (data: T) => number | undefined
}

/**
 * Something read from the vault, under a name: read again with each new state of the account (`refreshVaultQueries`), while the older
 * answer stands, so that no form falls apart; and never kept across a lock. Refusals are shown, not tried again: the vault answers at
 * once or not at all.
 */
export function useVaultQuery<T>(
  name: string,
  read: () => Promise<T>,
  { enabled = true, onFocus = false, settlesIn }: VaultQueryOptions<T> = {},
) {
  const { data, error } = useQuery({
    queryKey: vaultKey(name, useVaultSnapshot()),
    queryFn: read,
    enabled,
    retry: false,
    staleTime: onFocus ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: onFocus,
    refetchInterval: ({ state }) => (state.data === undefined ? false : (settlesIn?.(state.data) ?? false)),
    // Nothing that was read from an open vault lies about unused.
    gcTime: 0,
  })
  return { data, failed: error ?? undefined }
}

/** Reads again what is shown: what is known by a name, or everything. */
export function refreshVaultQueries(client: QueryClient, name?: string): void {
  askAgain(client, {
    predicate: ({ queryKey: [family, , of] }) => family === FAMILY && (name === undefined || of === name),
  })
}

/** Drops all that was read from an account while it was open. What is read of it now, locked, stays under way. */
export function forgetVaultQueries(client: QueryClient, address: string | undefined): void {
  client.removeQueries({
    predicate: ({ queryKey: [family, of, , phase] }) =>
      family === FAMILY && phase === 'unlocked' && (address === undefined || of === address),
  })
}

/** Reads again what is known by a name. */
export function useReadAgain(name: string): () => void {
  const client = useQueryClient()
  return useCallback(() => refreshVaultQueries(client, name), [client, name])
}
