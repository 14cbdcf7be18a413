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
