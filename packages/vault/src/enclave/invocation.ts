import * as v from 'valibot'
import { seconds } from './protocol.ts'

/** What is to be done, on whose authority. `args` is a DAG-JSON map. */
export interface InvokeRequest {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** DID of whose resource it is. */
  readonly subject_did: string
  /** The token held; not needed by the subject itself. */
  readonly proof_token?: string
  /** CID of the delegation to use, where the token leaves it open. */
  readonly leaf?: string
  /** DID of the one who is to do it. Default: the subject. */
  readonly audience_did?: string
  /** Seconds since 1970. Absent: in 5 minutes, or with the chain's earliest. Null: never. */
  readonly expires_at?: number | null
  /** The key that signs. Default: the one the token is addressed to, else the account's default key. */
  readonly key_id?: string
}

/** Which delegation is to hold no more. */
export interface RevokeRequest {
  /** Of the delegation. */
  readonly cid: string
  /** CIDs from the root to the delegation. */
  readonly path?: readonly string[]
  /** A delegation of `/ucan/revoke`, for one who issued nothing in the chain. */
  readonly proof_token?: string
  /** The chain that the delegation stands in: who may revoke is then checked, and the right key chosen. */
  readonly token?: string
  /** The key that signs. */
  readonly key_id?: string
}

/** What came of a task: exactly one of `ok` and `error`, in DAG-JSON. */
export interface IssueReceiptRequest {
  /** CID of the task, as the invocation's result names it. */
  readonly task: string
  readonly ok?: unknown
  readonly error?: unknown
  readonly key_id?: string
}

export const invokeResult = v.looseObject({
  token: v.string(),
  cid: v.string(),
  task: v.string(),
  issuer: v.string(),
  expires_at: v.nullable(seconds),
})
/** A new invocation: `token` is the container text with its proofs, `task` what a receipt names. */
export type InvokeResult = v.InferOutput<typeof invokeResult>

/** What `revoke` and `issue_receipt` return. */
export const signedResult = v.looseObject({ token: v.string(), cid: v.string() })
/** A new token: `token` is its container text. */
export type SignedResult = v.InferOutput<typeof signedResult>

/** The fields of an invocation's payload that a stored token keeps beside its text. */
export const invocationPayload = v.looseObject({
  iss: v.string(),
  aud: v.optional(v.string()),
  sub: v.string(),
  cmd: v.string(),
  args: v.record(v.string(), v.unknown()),
  exp: v.nullable(seconds),
})
