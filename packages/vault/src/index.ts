export type { NewAccount } from './account-home.ts'
export type { CreatedAccount, CreateRequest } from './account-life.ts'
export type { ResetAccount } from './account-reset.ts'
export type { StoredAccount } from './accounts.ts'
export type { Activity, ActivityAbout, ActivityLine } from './activity-log.ts'
export { AUTO_LOCK_WARNING, DEFAULT_AUTO_LOCK, MIN_AUTO_LOCK } from './auto-lock.ts'
export type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backup-desk.ts'
export type { BackupHealth, VerifiedBackup, VerifyRequest } from './backup-health.ts'
export type { Bytes } from './bytes.ts'
export type { Clock } from './clock.ts'
export {
  DEFAULT_CHAIN_ID,
  DEFAULT_CLEANUP_INTERVAL,
  DEFAULT_WASM_PATH,
  type PassphraseAssessment,
  type VaultConfig,
  type VaultDependencies,
} from './config.ts'
export type { CopyFile } from './copy-file.ts'
export { toCsv } from './csv.ts'
export {
  type KeyVaultErrorCode,
  type VaultClientErrorCode,
  VaultError,
  type VaultErrorCode,
  type VaultErrorDetails,
} from './errors.ts'
export {
  type TypedEventTarget,
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
export type { ForeignKey, KeyPreview } from './key-import.ts'
export { KeyVault } from './key-vault.ts'
export type { LastingToken } from './lasting-tokens.ts'
export type { KeyInfo, KeyType } from './lifecycle.ts'
export type { LostAccount } from './lost-accounts.ts'
export type { Mandate, MandateBudget, MandateCount, MandateTerms } from './mandate.ts'
export type { MadeMandate } from './mandate-book.ts'
export type { MirrorFailure } from './mirror-keeper.ts'
export type { OpenTab } from './open-tabs.ts'
export {
  askPasskey,
  type CreatePasskeyRequest,
  createPasskey,
  forgetPasskey,
  hasPasskeys,
  type KnownPasskey,
  type NewPasskey,
  type PasskeyAnswer,
  type PasskeyRefusal,
} from './passkey.ts'
export {
  normalisePassphrase,
  PASSPHRASE_MAX_BYTES,
  PASSPHRASE_MIN_CHARACTERS,
  PASSPHRASE_MIN_SCORE,
} from './passphrase.ts'
export type { AskedPayment, PaymentReceipt, PaymentRecord, PaymentTerms } from './payment.ts'
export type { AuthorizeOptions } from './payment-desk.ts'
export type { PaymentExportFormat } from './payment-export.ts'
export type { PersistenceState } from './persistence.ts'
export { DATABASE_PREFIX } from './places.ts'
export type { CallOptions } from './plugin.ts'
export type { Proof } from './proof.ts'
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
export type { RestoredAccount, RestoreLostOptions } from './recovery-desk.ts'
export {
  SCHEMA_VERSION,
  type SessionRecord,
  type StateRecord,
  type TokenRecord,
  type TokenType,
} from './schema.ts'
export {
  MandateList,
  type MandateListSnapshot,
  PaymentList,
  type PaymentListSnapshot,
} from './sealed-list.ts'
export type { Connection, ConnectionRequest, Session } from './sessions.ts'
export type { AccountInfo, VaultPhase, VaultSnapshot } from './snapshot.ts'
export type { StorageHealth } from './storage-health.ts'
export type { GrantRequest, NarrowRequest, SealedLabel, StoredToken } from './token-book.ts'
export { TokenList, type TokenListSnapshot } from './token-list.ts'
export type { KeptToken, SaveTokenExtra } from './token-record.ts'
export type { UnlockMethod } from './unlock-methods.ts'
export type {
  EvaluatePolicyRequest,
  EvaluatePolicyResult,
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationChecks,
  ValidationResult,
} from './validation.ts'
export { VaultClient } from './vault-client.ts'
