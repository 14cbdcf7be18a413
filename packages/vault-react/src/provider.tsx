import {
  KeyVault,
  type Mandate,
  type PaymentRecord,
  type StoredToken,
  type VaultConfig,
} from '@keyhole/vault'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { holdVault } from './lifetime.ts'
import { ListStore } from './list-store.ts'

interface Provided {
  readonly vault: KeyVault
  readonly tokens: ListStore<StoredToken>
  readonly payments: ListStore<PaymentRecord>
  readonly mandates: ListStore<Mandate>
}

const VaultContext = createContext<Provided | undefined>(undefined)

export interface VaultProviderProps {
  /** Read once, when the provider mounts. */
  readonly config?: VaultConfig
  /** An existing vault, for code outside React that needs the same one. Instead of `config`. */
  readonly vault?: KeyVault
  readonly children?: ReactNode
}

/**
 * Provides a vault to its children. It initialises the vault on mount (unless `autoInitialize` is false) and cleans it
 * up on unmount.
 */
export function VaultProvider({ config, vault, children }: VaultProviderProps) {
  const [provided] = useState(() => {
    const given = vault ?? new KeyVault(config)
    return {
      vault: given,
      tokens: new ListStore(given, {
        change: 'tokens',
        read: () => given.tokens.list(),
        whileLocked: withoutLabel,
      }),
      payments: new ListStore(given, { change: 'payments', read: () => given.payments.list() }),
      mandates: new ListStore(given, { change: 'mandates', read: () => given.mandates.list() }),
    }
  })
  useEffect(() => holdVault(provided.vault, provided.vault.config.autoInitialize ?? true), [provided])
  return <VaultContext value={provided}>{children}</VaultContext>
}

/** Labels are sealed, so a locked vault shows none. */
const withoutLabel = ({ label: _, ...token }: StoredToken): StoredToken => token

/** The nearest provider's value. @throws Error outside a provider */
export function useProvided(): Provided {
  const provided = useContext(VaultContext)
  if (!provided) throw new Error('This component needs a <VaultProvider> above it.')
  return provided
}
