export type { ResetAccount } from './accounts/account-reset.ts'
export type { CreatedAccount, CreateRequest } from './accounts/accounts.ts'
export type { CopyFile } from './accounts/copy-file.ts'
export type { RestoredAccount, RestoreLostOptions } from './accounts/recovery.ts'
export type { UnlockMethod } from './accounts/unlock-methods.ts'
export type { Activity, ActivityLine } from './activity/activity-log.ts'
export type { BackupHealth, VerifiedBackup, VerifyRequest } from './backup/backup-health.ts'
export type { BackupFile, ExportRequest, ImportRequest, ImportResult } from './backup/backups.ts'
export type { ActivityAbout, LineDevice } from './base/act.ts'
export type { Bytes } from './base/bytes.ts'
export type { Clock } from './base/clock.ts'
export {
  DEFAULT_CHAIN_ID,
  DEFAULT_CLEANUP_INTERVAL,
  DEFAULT_WASM_PATH,
  type PassphraseAssessment,
  type VaultConfig,
  type VaultDependencies,
} from './base/config.ts'
export { toCsv } from './base/csv.ts'
export {
  type KeyVaultErrorCode,
  type VaultClientErrorCode,
  VaultError,
  type VaultErrorCode,
  type VaultErrorDetails,
} from './base/errors.ts'
export {
  type TypedEventTarget,
  type VaultChange,
  type VaultEvent,
  type VaultEventMap,
  type VaultEventName,
  VaultEvents,
  type VaultListener,
} from './base/events.ts'
export type { OwnRefusalArgs, OwnRefusalName, OwnRefusalWhy, RefusalArgs } from './base/refusals.ts'
export { VaultClient } from './client/public-client.ts'
export {
  CONTACT_DIDS_MAX,
  CONTACT_KINDS,
  CONTACT_NAME_MAX,
  CONTACT_NOTE_MAX,
  CONTACTS_MAX,
  type Contact,
  type ContactDraft,
  type ContactKind,
  cleanContactName,
} from './contacts/contact.ts'
export type { KeyInfo, KeyType } from './enclave/enclave-status.ts'
export type {
  InvokeRequest,
  InvokeResult,
  IssueReceiptRequest,
  RevokeRequest,
  SignedResult,
} from './enclave/invocation.ts'
export type { Mandate, MandateBudget, MandateCount, MandateTerms } from './enclave/mandate.ts'
export type { AskedPayment, PaymentReceipt, PaymentRecord, PaymentTerms } from './enclave/payment.ts'
export type { CallOptions } from './enclave/plugin.ts'
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
} from './enclave/protocol.ts'
export type {
  EvaluatePolicyRequest,
  EvaluatePolicyResult,
  ValidateBatchRequest,
  ValidateBatchResult,
  ValidateInvocationRequest,
  ValidationChecks,
  ValidationResult,
} from './enclave/validation.ts'
export { KeyVault } from './key-vault.ts'
export type { ForeignKey, KeyPreview } from './keys/key-import.ts'
export type { PaymentExportFormat } from './payments/payment-export.ts'
export type { AuthorizeOptions } from './payments/payments.ts'
export { AUTO_LOCK_WARNING, DEFAULT_AUTO_LOCK, MIN_AUTO_LOCK } from './session/auto-lock.ts'
export type { AccountInfo, VaultPhase, VaultSnapshot } from './session/snapshot.ts'
export type { OpenTab } from './session/tabs/open-tabs.ts'
export type { StoredAccount } from './storage/account/account-list.ts'
export type { LostAccount } from './storage/account/lost-accounts.ts'
export type { StorageHealth } from './storage/account/storage-health.ts'
export type { MirrorFailure } from './storage/mirror/mirror-writer.ts'
export type { PersistenceState } from './storage/persistence.ts'
export {
  SCHEMA_VERSION,
  type SessionRecord,
  type StateRecord,
  type TokenRecord,
  type TokenType,
} from './storage/schema.ts'
export { DATABASE_PREFIX } from './storage/storage-names.ts'
export type { SaveTokenExtra, SignedToken } from './storage/token-record.ts'
export {
  TEMPLATE_NAME_MAX,
  TEMPLATES_MAX,
  type Template,
  type TemplateDraft,
} from './templates/template.ts'
export type { Connection, ConnectionRequest, Session } from './tokens/connections.ts'
export type { Handover } from './tokens/handovers.ts'
export type { InvocationRequest, ReceiptRequest, RevocationRequest } from './tokens/invocations.ts'
export type { LastingToken } from './tokens/lasting-tokens.ts'
export type { MadeMandate } from './tokens/mandates.ts'
export type { GrantRequest, NarrowRequest, SealedLabel, StoredToken } from './tokens/tokens.ts'
export {
  askPasskey,
  type CreatePasskeyRequest,
  canUsePasskeys,
  createPasskey,
  forgetPasskey,
  hasPasskeys,
  type KnownPasskey,
  type NewPasskey,
  type PasskeyAnswer,
  type PasskeyRefusal,
} from './unlock/passkey.ts'
export {
  PASSPHRASE_MAX_BYTES,
  PASSPHRASE_MIN_CHARACTERS,
  PASSPHRASE_MIN_SCORE,
} from './unlock/passphrase.ts'
export { normalisePassphrase, type UnlockProof } from './unlock/unlock-proof.ts'
