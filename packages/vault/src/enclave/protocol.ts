import * as v from 'valibot'
import type { Bytes } from '../base/bytes.ts'

/** A whole number of seconds since 1970, as tokens count. */
export const seconds = v.pipe(v.number(), v.safeInteger())
const bytes = v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)))

/** A UCAN policy: a list of statements, in DAG-JSON. */
export type Policy = readonly unknown[]

/** What a new delegation is to say. Times are in seconds; `policy` and `meta` are DAG-JSON. */
export interface OriginTokenRequest {
  /** DID of the one who receives the capability. */
  readonly audience_did: string
  /** The command delegated: lower case, starts with `/`. */
  readonly command: string
  /** Statements that must all hold for the arguments of an invocation. Default: none. */
  readonly policy?: Policy
  /** DID of whose resource it is. Default: the issuer's own. */
  readonly subject_did?: string
  readonly not_before?: number
  /** Absent: 24 hours from now. Null: never. */
  readonly expires_at?: number | null
  readonly meta?: Readonly<Record<string, unknown>>
  /** The key that signs. Default: the account's default key. */
  readonly key_id?: string
}

/** A delegation that continues another. `expires_at` absent means the chain's earliest. */
export interface AttenuatedTokenRequest extends OriginTokenRequest {
  /** The token held: a container in any encoding, or a bare envelope. */
  readonly parent_token: string
  /** CID of the delegation to continue, where the container leaves it open. */
  readonly leaf?: string
}

export interface SignDataRequest {
  readonly data: Bytes
  readonly key_id?: string
}

export interface VerifyDataRequest {
  readonly data: Bytes
  readonly signature: Bytes
  /** Who is to have signed. Default: the account's default key. */
  readonly did?: string
}

export interface VerifyTokenRequest {
  readonly token: string
  readonly leaf?: string
  /** Seconds since 1970. Default: the host's clock. */
  readonly now?: number
  /** Seconds of clock difference allowed. Default 60. */
  readonly skew?: number
  /** CIDs that the caller knows to be revoked. */
  readonly revoked?: readonly string[]
  /** Revocations' texts: each takes effect where its issuer may revoke in the chain at hand. */
  readonly revocations?: readonly string[]
  /** The network that the audience's address is to be of. Default: the account's, else keyhole-1. */
  readonly chain_id?: string
}

export const tokenResult = v.looseObject({
  token: v.string(),
  issuer: v.string(),
  address: v.string(),
  cid: v.string(),
  expires_at: v.optional(v.nullable(seconds)),
})
/** A new token. `address` is its audience's address; `token` is the container text with all proofs. */
export type TokenResult = v.InferOutput<typeof tokenResult>

export const attenuatedTokenResult = v.looseObject({
  ...tokenResult.entries,
  effective: v.looseObject({
    command: v.string(),
    policy: v.array(v.unknown()),
    not_before: v.optional(v.nullable(seconds)),
    expires_at: v.optional(v.nullable(seconds)),
  }),
})
/** A narrowed token, and what holds along its whole chain. */
export type AttenuatedTokenResult = v.InferOutput<typeof attenuatedTokenResult>

export const signDataResult = v.looseObject({ signature: bytes })
export type SignDataResult = v.InferOutput<typeof signDataResult>

export const verifyDataResult = v.looseObject({ valid: v.boolean() })
export type VerifyDataResult = v.InferOutput<typeof verifyDataResult>

export const issuerDidResult = v.looseObject({
  issuer_did: v.string(),
  address: v.string(),
  chain_id: v.string(),
})
export type IssuerDidResult = v.InferOutput<typeof issuerDidResult>

export const inspectedToken = v.looseObject({
  cid: v.string(),
  kind: v.string(),
  algorithm: v.string(),
  signature_valid: v.boolean(),
  payload: v.record(v.string(), v.unknown()),
})
/** One token of a container, decoded: nothing but its own signature has been checked. */
export type InspectedToken = v.InferOutput<typeof inspectedToken>

export const inspectTokenResult = v.looseObject({ tokens: v.array(inspectedToken) })
export type InspectTokenResult = v.InferOutput<typeof inspectTokenResult>

/** A delegation of a chain that holds. */
export const chainLink = v.looseObject({
  cid: v.string(),
  issuer: v.string(),
  audience: v.string(),
  subject: v.nullable(v.string()),
  command: v.string(),
  policy: v.array(v.unknown()),
  not_before: v.optional(v.nullable(seconds)),
  expires_at: v.optional(v.nullable(seconds)),
})

export const tokenRefusal = v.looseObject({
  name: v.string(),
  message: v.string(),
  cid: v.optional(v.nullable(v.string())),
})
export const verifyTokenResult = v.variant('valid', [
  v.looseObject({
    valid: v.literal(true),
    chain: v.array(chainLink),
    token: v.string(),
    address: v.string(),
    effective: v.looseObject({
      command: v.string(),
      policy: v.array(v.unknown()),
      not_before: v.optional(v.nullable(seconds)),
      expires_at: v.optional(v.nullable(seconds)),
    }),
  }),
  v.looseObject({ valid: v.literal(false), error: tokenRefusal }),
])
/** Whether a chain holds, root first (`token`: its container text; `address`: the audience's); or which check refused it, and at which token. */
export type VerifyTokenResult = v.InferOutput<typeof verifyTokenResult>

/** The fields of a delegation's payload that a stored token keeps beside its text. */
export const delegationPayload = v.looseObject({
  iss: v.string(),
  aud: v.string(),
  sub: v.nullable(v.string()),
  cmd: v.string(),
  pol: v.array(v.unknown()),
  nbf: v.optional(v.nullable(seconds)),
  exp: v.nullable(seconds),
})
export type DelegationPayload = v.InferOutput<typeof delegationPayload>
