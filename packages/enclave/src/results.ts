// The shapes that the plugin's functions return. Times are in seconds; policies and payloads are DAG-JSON.

/** A vault, as far as may be told. Labels are there only while it is unlocked. */
export interface EnclaveStatus {
  readonly initialized: boolean
  readonly locked: boolean
  readonly address?: string
  readonly chain_id?: string
  readonly revision?: number
  readonly default_key?: string
  readonly keys: readonly EnclaveKey[]
  readonly issuer_did?: string
}

/** The public half of a key. */
export interface EnclaveKey {
  readonly key_id: string
  readonly key_type: 'ed25519' | 'p256' | 'secp256k1'
  readonly did: string
  readonly label?: string
  readonly created_at: number
  readonly is_default: boolean
  readonly is_first: boolean
}

/** `create_vault`, `unlock_vault`, `lock_vault` and each change of a vault: `enclave` is the sealed state to store. */
export interface VaultResult {
  readonly status: EnclaveStatus
  readonly enclave?: string
}

/** `new_origin_token`: `token` is the container text of leaf and proofs, `address` its audience's address. */
export interface OriginTokenResult {
  readonly token: string
  readonly issuer: string
  readonly address: string
  readonly cid: string
  readonly expires_at: number | null
}

/** What holds along a whole chain. */
export interface EffectiveDelegation {
  readonly command: string
  readonly policy: readonly unknown[]
  readonly not_before: number | null
  readonly expires_at: number | null
}

/** `new_attenuated_token`. */
export interface AttenuatedTokenResult extends OriginTokenResult {
  readonly effective: EffectiveDelegation
}

/** `sign_data`: the signature's bytes. */
export interface SignDataResult {
  readonly signature: readonly number[]
}

/** `verify_data`. */
export interface VerifyDataResult {
  readonly valid: boolean
}

/** `get_issuer_did`: here `address` is the account's own. */
export interface IssuerDidResult {
  readonly issuer_did: string
  readonly address: string
  readonly chain_id: string
}

/** A delegation of a chain that holds. `subject` null: any that its issuer may delegate. */
export interface ChainLink {
  readonly cid: string
  readonly issuer: string
  readonly audience: string
  readonly subject: string | null
  readonly command: string
  readonly policy: readonly unknown[]
  readonly not_before: number | null
  readonly expires_at: number | null
}

/**
 * The rules of UCAN that a token can break, by the names of its fixtures and, where those have none, ours. `TooMuchWork` is neither
 * yes nor no: to tell would take more than one call may take.
 */
export type TokenErrorName =
  | 'MalformedToken'
  | 'UnsupportedVersion'
  | 'InvalidSignature'
  | 'Expired'
  | 'TooEarly'
  | 'InvalidAudience'
  | 'InvalidClaim'
  | 'UnavailableProof'
  | 'Revoked'
  | 'RevocationUnknown'
  | 'InvalidSubject'
  | 'InvalidCommand'
  | 'MatchError'
  | 'Replayed'
  | 'TooMuchWork'

/** Which rule was broken, and by which token. */
export interface TokenError {
  readonly name: TokenErrorName
  readonly message: string
  /** The token that broke the rule; null where its text cannot be read. */
  readonly cid: string | null
  /** What the rule asks for, and what was there instead: a DID, a command, a moment in seconds, a policy statement. */
  readonly expected?: unknown
  readonly found?: unknown
}

/** The document of a `did:web` that an answer rests on: with another one the answer could be another. */
export interface UsedDocument {
  readonly did: string
  /** SHA-256 of the document as it was fetched, base64url. */
  readonly digest: string
}

/** An invocation that holds: what may be done, and on whose authority. */
export interface ValidInvocation {
  readonly valid: true
  readonly cid: string
  /** When it may be forgotten, but for the skew; null: never. */
  readonly expires_at: number | null
  /** CID of what is to be done: subject, command, arguments and nonce. A receipt names it. */
  readonly task: string
  readonly command: string
  /** Absent where they are so long that an answer cannot repeat them: they are in the token. */
  readonly args?: Readonly<Record<string, unknown>>
  readonly subject: string
  readonly issuer: string
  /** The proofs, root first; empty where the issuer is the subject. */
  readonly chain: readonly ChainLink[]
  /** By which documents it was reached; absent where every issuer is a `did:key`. */
  readonly documents?: readonly UsedDocument[]
}

/** An invocation that does not hold. */
export interface InvalidInvocation {
  readonly valid: false
  readonly error: TokenError
  /** As of one that holds. */
  readonly documents?: readonly UsedDocument[]
}

/** `validate_invocation`. */
export type ValidationResult = ValidInvocation | InvalidInvocation

/** `validate_batch`: one result each, in the order of the invocations. */
export interface BatchResult {
  readonly results: readonly ValidationResult[]
}

/** `invoke`: `token` is the container text of the invocation and its proofs, `task` what a receipt names. */
export interface InvocationResult {
  readonly token: string
  readonly cid: string
  readonly task: string
  readonly issuer: string
  readonly expires_at: number | null
}

/** `revoke`. */
export interface RevocationResult {
  readonly token: string
  readonly cid: string
}

/** `issue_receipt`. */
export interface ReceiptResult {
  readonly token: string
  readonly cid: string
}

/** `check_payment`: a payment in the terms that are signed. */
export interface PaymentTerms {
  /** `did:web` of the site that is paid. */
  readonly payee: string
  /** In the currency's minor unit. */
  readonly amount: number
  /** Of ISO 4217. */
  readonly currency: string
  /** Digits behind the currency's point. */
  readonly digits: number
  /** The payee's reference. */
  readonly order: string
}

/** `authorize_payment`: `token` is the container text of the authorisation, which goes to the payee. */
export interface AuthorizationResult extends InvocationResult {
  readonly payment: PaymentTerms
}

/** What may be spent in each UTC day, ISO week or UTC month: in minor units, in payments, or both. */
export interface MandateBudget {
  readonly period: 'day' | 'week' | 'month'
  readonly amount?: number
  readonly payments?: number
}

/** What was spent from a moment on. */
export interface MandateUse {
  readonly since: number
  /** In minor units. */
  readonly amount: number
  readonly payments: number
}

/** A mandate with a budget, and its count. Amounts are in minor units. */
export interface EnclaveMandate {
  /** Of the delegation. */
  readonly cid: string
  /** DID of the account's key that made it, and signs what is authorised under it. */
  readonly issuer: string
  /** DID of whom it is for; the issuer's where it is the vault's own. */
  readonly audience: string
  /** Absent: anyone may be paid. */
  readonly payees?: readonly string[]
  /** The least of one payment. */
  readonly min?: number
  /** The most of one payment. */
  readonly max: number
  readonly currency: string
  /** Digits behind the currency's point. */
  readonly digits: number
  readonly not_before?: number
  /** Absent: until it is ended. */
  readonly expires_at?: number
  readonly budget: MandateBudget
  readonly created_at: number
  /** In the period that was counted last. */
  readonly used: MandateUse
  /** In all periods together. */
  readonly total: MandateUse
  /** Of the period that is now, which ends at `until`. */
  readonly remaining: { readonly amount?: number; readonly payments?: number; readonly until: number }
  /** Nothing is authorised under it until it is confirmed. */
  readonly suspended: boolean
  readonly ended: boolean
  /** Whether the vault approves under it by itself. */
  readonly own: boolean
}

/** `list_mandates`: the oldest first. */
export interface MandateList {
  readonly mandates: readonly EnclaveMandate[]
}

/** `suspend_mandate` and `end_mandate`. */
export interface MandateResult extends VaultResult {
  readonly mandate: EnclaveMandate
}

/** `make_mandate`: the delegation, and its count. */
export interface MadeMandateResult extends OriginTokenResult, MandateResult {}

/** `spend_mandate` and `countersign_payment`: the authorisation, and the count with it. */
export interface CountedPaymentResult extends AuthorizationResult, MandateResult {}

/** Why a payment is not authorised, as `name` of a refusal has it; a token that does not hold has a `TokenErrorName`. */
export type PaymentRefusalName =
  | 'InvalidPayment'
  | 'InvalidMandate'
  | 'UnknownMandate'
  | 'OutsideMandate'
  | 'BudgetExceeded'
  | 'MandateSuspended'
  | 'MandateEnded'
