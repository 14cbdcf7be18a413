import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { VaultClient as Client } from './vault-client.ts'

/** What of the client is for whoever uses the package. Everything else is for the layer above, and may change with it. */
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
 * The plugin and the storage of one account: it calls, and it stores. Its codes are WASM_NOT_LOADED, NOT_INITIALIZED
 * and OPERATION_FAILED; a refusal by the plugin is OPERATION_FAILED with the plugin's text, its code in `details`.
 * What keys and locks mean is the layer above, `KeyVault`.
 */
export interface VaultClient extends Pick<Client, Public> {}

export const VaultClient: new (config?: VaultConfig, dependencies?: VaultDependencies) => VaultClient = Client
