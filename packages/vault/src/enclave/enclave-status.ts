import * as v from 'valibot'

/** The key types that an enclave makes. */
export type KeyType = 'ed25519' | 'p256' | 'secp256k1'

const keySchema = v.looseObject({
  key_id: v.string(),
  key_type: v.picklist(['ed25519', 'p256', 'secp256k1']),
  did: v.string(),
  label: v.optional(v.nullable(v.string())),
  created_at: v.number(),
  is_default: v.boolean(),
  is_first: v.boolean(),
})

/** What the enclave says about itself: public halves only; labels only while unlocked. */
export const enclaveStatus = v.looseObject({
  initialized: v.boolean(),
  locked: v.boolean(),
  address: v.optional(v.nullable(v.string())),
  chain_id: v.optional(v.nullable(v.string())),
  revision: v.optional(v.nullable(v.number())),
  /** The revision up to which nothing is taken back: what was signed with it may be out. */
  settled: v.optional(v.nullable(v.number())),
  default_key: v.optional(v.nullable(v.string())),
  keys: v.optional(v.array(keySchema), []),
  issuer_did: v.optional(v.nullable(v.string())),
  label: v.optional(v.nullable(v.string())),
})
export type EnclaveStatus = v.InferOutput<typeof enclaveStatus>

export const statusResult = v.looseObject({ status: enclaveStatus })
/** What a mutation returns: the new status, and the sealed state to store. */
export const sealedResult = v.looseObject({ status: enclaveStatus, enclave: v.string() })
export type SealedResult = v.InferOutput<typeof sealedResult>
export const unlockResult = v.looseObject({
  status: enclaveStatus,
  enclave: v.optional(v.nullable(v.string())),
})
export const generateKeyResult = v.looseObject({ ...sealedResult.entries, key: keySchema })
export const importResult = v.looseObject({
  ...sealedResult.entries,
  contents: v.unknown(),
  added_keys: v.array(v.string()),
})
export const exportResult = v.looseObject({ backup: v.string() })
export const sealedChunkResult = v.looseObject({ chunk: v.string() })
export const openedChunkResult = v.looseObject({ contents: v.unknown(), last: v.boolean() })
export const begunImportResult = v.looseObject({
  format: v.string(),
  address: v.string(),
  created_at: v.number(),
  keys: v.array(v.looseObject({ key_id: v.string() })),
  contents: v.unknown(),
})
export const backupHeader = v.looseObject({
  format: v.union([v.string(), v.number()]),
  address: v.string(),
  created_at: v.number(),
})

/** An account's key, without its private half, in the plugin's own shape. */
export interface KeyInfo {
  readonly key_id: string
  readonly key_type: KeyType
  readonly did: string
  /** Only while unlocked. */
  readonly label?: string
  /** Seconds since 1970. */
  readonly created_at: number
  readonly is_default: boolean
  /** The key that the address comes from; it cannot be deleted. */
  readonly is_first: boolean
}

export function toKeyInfo({ label, ...key }: v.InferOutput<typeof keySchema>): KeyInfo {
  return label ? { ...key, label } : key
}
