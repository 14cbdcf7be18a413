import type {
  KeyVault,
  MandateListSnapshot,
  PaymentListSnapshot,
  TokenListSnapshot,
  VaultEventMap,
  VaultEventName,
  VaultSnapshot,
} from '@keyhole/vault'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useProvided } from './provider.tsx'

/** The vault itself, for what a person does. The same object for the provider's lifetime. */
export function useVault(): KeyVault {
  return useProvided().vault
}

/** The vault at this moment; renders again when it changes, in any tab. */
export function useVaultSnapshot(): VaultSnapshot {
  const { vault } = useProvided()
  return useSyncExternalStore(vault.subscribe, vault.getSnapshot, vault.getSnapshot)
}

/** The stored tokens, newest first; renders again when they change, in any tab. */
export function useTokens(): TokenListSnapshot {
  const { tokens } = useProvided()
  return useSyncExternalStore(tokens.subscribe, tokens.getSnapshot, tokens.getSnapshot)
}

/** The payments, newest first, while unlocked; renders again when they change, in any tab. */
export function usePayments(): PaymentListSnapshot {
  const { payments } = useProvided()
  return useSyncExternalStore(payments.subscribe, payments.getSnapshot, payments.getSnapshot)
}

/** The mandates with a budget, the oldest first, while unlocked; renders again when they change, in any tab. */
export function useMandates(): MandateListSnapshot {
  const { mandates } = useProvided()
  return useSyncExternalStore(mandates.subscribe, mandates.getSnapshot, mandates.getSnapshot)
}

/** Hears one of the vault's events while mounted. The listener may change with every render. */
export function useVaultEvent<Name extends VaultEventName>(
  name: Name,
  listener: (detail: VaultEventMap[Name]) => void,
): void {
  const { vault } = useProvided()
  const hear = useEffectEvent(listener)
  useEffect(() => vault.on(name, (detail) => hear(detail)), [vault, name])
}
