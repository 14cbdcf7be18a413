import type { VaultErrorCode as KeyVaultErrorCode } from '@keyhole/enclave'

/** The nine codes of the key-vault layer, which the plugin's refusals carry. */
export type { KeyVaultErrorCode }

/** The three codes of the vault client. */
export type VaultClientErrorCode = 'WASM_NOT_LOADED' | 'NOT_INITIALIZED' | 'OPERATION_FAILED'

export type VaultErrorCode = KeyVaultErrorCode | VaultClientErrorCode
