export { useTokens, useVault, useVaultEvent, useVaultSnapshot } from './hooks.ts'
export { VaultProvider, type VaultProviderProps } from './provider.tsx'
