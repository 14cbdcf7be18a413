import { KeyVault, MandateList, PaymentList, TokenList, type VaultConfig } from '@keyhole/vault'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { holdVault } from './lifetime.ts'

interface Provided {
  readonly vault: KeyVault
  readonly tokens: TokenList
  readonly payments: PaymentList
  readonly mandates: MandateList
}

const VaultContext = createContext<Provided | undefined>(undefined)

export interface VaultProviderProps {
  /** Read once, when the provider mounts. */
  readonly config?: VaultConfig
  /** A vault made elsewhere, for code outside of React that needs the same one. Instead of `config`. */
  readonly vault?: KeyVault
  readonly children?: ReactNode
}

/**
 * Gives a vault to the components below. It initialises the vault on mount (unless `autoInitialize` is false) and
 * cleans it up on unmount.
 */
export function VaultProvider({ config, vault, children }: VaultProviderProps) {
  const [provided] = useState(() => {
    const given = vault ?? new KeyVault(config)
    return {
      vault: given,
      tokens: new TokenList(given),
      payments: new PaymentList(given),
      mandates: new MandateList(given),
    }
  })
  useEffect(() => holdVault(provided.vault, provided.vault.config.autoInitialize ?? true), [provided])
  return <VaultContext value={provided}>{children}</VaultContext>
}

/** What the nearest provider gives. @throws Error outside of a provider */
export function useProvided(): Provided {
  const provided = useContext(VaultContext)
  if (!provided) throw new Error('There is no <VaultProvider> above this component.')
  return provided
}
