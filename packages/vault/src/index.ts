export type { NewAccount } from './account-home.ts'
export type { StoredAccount } from './accounts.ts'
export type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backup-desk.ts'
export {
  DEFAULT_CHAIN_ID,
  DEFAULT_CLEANUP_INTERVAL,
  DEFAULT_WASM_PATH,
  type PassphraseAssessment,
  type VaultConfig,
  type VaultDependencies,
} from './config.ts'
export {
  type KeyVaultErrorCode,
  type VaultClientErrorCode,
  VaultError,
  type VaultErrorCode,
  type VaultErrorDetails,
} from './errors.ts'
export {
  type VaultChange,
  type VaultEvent,
  type VaultEventMap,
  type VaultEventName,
  VaultEvents,
  type VaultListener,
} from './events.ts'
export type {
  InvokeRequest,
  InvokeResult,
  IssueReceiptRequest,
  RevokeRequest,
  SignedResult,
} from './invocation.ts'
export type { InvocationRequest, ReceiptRequest, RevocationRequest } from './invocation-book.ts'
export { type CreateRequest, KeyVault } from './key-vault.ts'
export type { LastingToken } from './lasting-tokens.ts'
export type { KeyInfo, KeyType } from './lifecycle.ts'
export {
  normalisePassphrase,
  PASSPHRASE_MAX_BYTES,
  PASSPHRASE_MIN_CHARACTERS,
  PASSPHRASE_MIN_SCORE,
} from './passphrase.ts'
export type { PersistenceState } from './persistence.ts'
export type { CallOptions } from './plugin.ts'
export type {
  AttenuatedTokenRequest,
  AttenuatedTokenResult,
  InspectedToken,
  InspectTokenResult,
  IssuerDidResult,
  OriginTokenRequest,
  Policy,
  SignDataRequest,
  SignDataResult,
  TokenResult,
  VerifyDataRequest,
  VerifyDataResult,
  VerifyTokenRequest,
  VerifyTokenResult,
} from './protocol.ts'
export {
  DATABASE_PREFIX,
  SCHEMA_VERSION,
  type SessionRecord,
  type StateRecord,
  type TokenRecord,
  type TokenType,
} from './schema.ts'
export type { AccountInfo, VaultPhase, VaultSnapshot } from './snapshot.ts'
export type { GrantRequest, NarrowRequest, StoredToken } from './token-book.ts'
export { TokenList, type TokenListSnapshot } from './token-list.ts'
export type { KeptToken, SaveTokenExtra } from './token-record.ts'
export type {
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationChecks,
  ValidationResult,
} from './validation.ts'
export { VaultClient } from './vault-client.ts'
