import type {
  KeyVault,
  Mandate,
  PaymentRecord,
  StoredToken,
  VaultError,
  VaultEventMap,
  VaultEventName,
  VaultSnapshot,
} from '@keyhole/vault'
import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import type { ListStore } from './list-store.ts'
import { useProvided } from './provider.tsx'

/** How far a list has been read. */
interface Reading {
  /** True until the first read is done. */
  readonly loading: boolean
  /** Why the last read failed. The list still shows the read before. */
  readonly error?: VaultError
}

function useList<T>({ subscribe, getSnapshot }: ListStore<T>) {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
}

/** The vault, for actions. The same object for the provider's lifetime. */
export function useVault(): KeyVault {
  return useProvided().vault
}

/** The vault's snapshot; renders again when it changes, in any tab. */
export function useVaultSnapshot(): VaultSnapshot {
  const { vault } = useProvided()
  return useSyncExternalStore(vault.subscribe, vault.getSnapshot, vault.getSnapshot)
}

/**
 * The stored tokens, newest first; renders again when they change, in any tab. Labels are there only while the vault is
 * unlocked.
 */
export function useTokens(): Reading & { readonly tokens: readonly StoredToken[] } {
  const { items: tokens, loading, error } = useList(useProvided().tokens)
  return useMemo(() => ({ loading, tokens, ...(error && { error }) }), [loading, tokens, error])
}

/** The payments, newest first, while unlocked; renders again when they change, in any tab. */
export function usePayments(): Reading & { readonly payments: readonly PaymentRecord[] } {
  const { items: payments, loading, error } = useList(useProvided().payments)
  return useMemo(() => ({ loading, payments, ...(error && { error }) }), [loading, payments, error])
}

/** Mandates with a budget, oldest first, while unlocked; renders again when they change, in any tab. */
export function useMandates(): Reading & { readonly mandates: readonly Mandate[] } {
  const { items: mandates, loading, error } = useList(useProvided().mandates)
  return useMemo(() => ({ loading, mandates, ...(error && { error }) }), [loading, mandates, error])
}

/** Listens to one of the vault's events while mounted. The listener may change with every render. */
export function useVaultEvent<Name extends VaultEventName>(
  name: Name,
  listener: (detail: VaultEventMap[Name]) => void,
): void {
  const { vault } = useProvided()
  const hear = useEffectEvent(listener)
  useEffect(() => vault.on(name, (detail) => hear(detail)), [vault, name])
}
