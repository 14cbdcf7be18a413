import type { EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import * as v from 'valibot'
import type { Bytes } from '../base/bytes.ts'

/** Whole seconds since 1970, the unit of time in tokens. */
export const seconds = v.pipe(v.number(), v.safeInteger())

/** A UCAN policy: a list of statements, in DAG-JSON. */
export type Policy = readonly unknown[]

/** The contents of a new delegation. Times are in seconds; `policy` and `meta` are DAG-JSON. */
export type OriginTokenRequest = EnclaveInput<'new_origin_token'>

/** A delegation that continues another. Without `expires_at`, the chain's earliest applies. */
export type AttenuatedTokenRequest = EnclaveInput<'new_attenuated_token'>

export type SignDataRequest = Omit<EnclaveInput<'sign_data'>, 'data'> & { readonly data: Bytes }

/** `did`: the expected signer. Default: the account's default key. */
export type VerifyDataRequest = Omit<EnclaveInput<'verify_data'>, 'data' | 'signature'> & {
  readonly data: Bytes
  readonly signature: Bytes
}

export type VerifyTokenRequest = EnclaveInput<'verify_token'>

/** A new token. `address` is its audience's address; `token` is the container text with all proofs. */
export type TokenResult = EnclaveAnswer<'new_origin_token'>

/** A narrowed token, and the conditions of its whole chain. */
export type AttenuatedTokenResult = EnclaveAnswer<'new_attenuated_token'>

export type SignDataResult = EnclaveAnswer<'sign_data'>
export type VerifyDataResult = EnclaveAnswer<'verify_data'>
export type IssuerDidResult = EnclaveAnswer<'get_issuer_did'>
export type InspectTokenResult = EnclaveAnswer<'inspect_token'>

/** One decoded token of a container. Only its own signature has been checked. */
export type InspectedToken = InspectTokenResult['tokens'][number]

/**
 * A valid chain, root first (`token`: its container text; `address`: the audience's); or which check refused it, and at
 * which token.
 */
export type VerifyTokenResult = EnclaveAnswer<'verify_token'>

/** The fields of a delegation's payload that are stored with its text. */
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
