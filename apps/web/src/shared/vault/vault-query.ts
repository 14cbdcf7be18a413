import type { VaultSnapshot } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { askAgain } from './ask-again.ts'

/** The first part of every query key for the vault, so that a lock can drop all of them. */
const FAMILY = 'vault'

/** The query key for a name and the vault's current state. A lock drops what was read before it. */
export function vaultKey(
  name: string,
  { address, phase }: Pick<VaultSnapshot, 'address' | 'phase'>,
): readonly [family: string, address: string, name: string, phase: string] {
  return [FAMILY, address ?? '', name, phase]
}

interface VaultQueryOptions<T> {
  /** Only while this is true. Default true. */
  readonly enabled?: boolean
  /** Read again when the tab comes to the front too. Default false. */
  readonly onFocus?: boolean
  /** When to read again, in milliseconds, while a state is changing. Undefined if it isn't. */
  readonly settlesIn?: (data: T) => number | undefined
}

/**
 * Reads something from the vault, under a name, and again with each new state of the account (`refreshVaultQueries`). The last answer stays
 * in the meantime, so that forms don't jump, but never across a lock. Refusals are shown, not retried: the vault answers at once or not at
 * all.
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
    // Don't keep unused data from an open vault.
    gcTime: 0,
  })
  return { data, failed: error ?? undefined }
}

/** Reads visible data again: everything, or only what has this name. */
export function refreshVaultQueries(client: QueryClient, name?: string): void {
  askAgain(client, {
    predicate: ({ queryKey: [family, , of] }) => family === FAMILY && (name === undefined || of === name),
  })
}

/** Drops everything read from an account while it was open. Reads of the locked account continue. */
export function forgetVaultQueries(client: QueryClient, address: string | undefined): void {
  client.removeQueries({
    predicate: ({ queryKey: [family, of, , phase] }) =>
      family === FAMILY && phase === 'unlocked' && (address === undefined || of === address),
  })
}

/** Reads again what has this name. */
export function useReadAgain(name: string): () => void {
  const client = useQueryClient()
  return useCallback(() => refreshVaultQueries(client, name), [client, name])
}
