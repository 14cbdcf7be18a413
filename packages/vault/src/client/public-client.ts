import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { VaultClient as Client } from './vault-client.ts'

/** The client's public members. The others are for the layer above and can change with it. */
type Public =
  | Exclude<keyof EventTarget, 'dispatchEvent'>
  | 'accountAddress'
  | 'allowDidWebHosts'
  | 'cleanup'
  | 'clearPersistedState'
  | 'didWebHosts'
  | 'evaluatePolicy'
  | 'getIssuerDid'
  | 'getPersistedTokens'
  | 'getSessions'
  | 'getStorageEstimate'
  | 'initialize'
  | 'inspectToken'
  | 'invoke'
  | 'isCopy'
  | 'isInitialized'
  | 'issueReceipt'
  | 'listPersistedAccounts'
  | 'loadPersistedState'
  | 'newAttenuatedToken'
  | 'newOriginToken'
  | 'on'
  | 'openCopy'
  | 'persistState'
  | 'removeAccount'
  | 'removeExpiredTokens'
  | 'removeSession'
  | 'removeToken'
  | 'requestPersistentStorage'
  | 'revoke'
  | 'saveSession'
  | 'saveToken'
  | 'sealedState'
  | 'signData'
  | 'switchAccount'
  | 'tryPersistWithoutPromptingUser'
  | 'validateBatch'
  | 'validateInvocation'
  | 'verifyData'
  | 'verifyToken'

/**
 * The plugin and the storage of one account, without the meaning of keys and locks, which `KeyVault` adds. Its codes
 * are WASM_NOT_LOADED, NOT_INITIALIZED and OPERATION_FAILED. A refusal by the plugin is OPERATION_FAILED with the
 * plugin's text, and its code in `details`.
 */
export interface VaultClient extends Pick<Client, Public> {}

export const VaultClient: new (config?: VaultConfig, dependencies?: VaultDependencies) => VaultClient = Client
