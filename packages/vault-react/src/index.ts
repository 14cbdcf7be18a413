'use client'

export {
  useMandates,
  usePayments,
  useTokens,
  useVault,
  useVaultEvent,
  useVaultSnapshot,
} from './hooks.ts'
export { VaultProvider, type VaultProviderProps } from './provider.tsx'
