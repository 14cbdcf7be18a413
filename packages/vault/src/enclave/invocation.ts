import type { EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import * as v from 'valibot'
import { seconds } from './protocol.ts'

/** What is to be done, on whose authority. `args` is a DAG-JSON map. */
export type InvokeRequest = EnclaveInput<'invoke'>

/** Which delegation is to hold no more. */
export type RevokeRequest = EnclaveInput<'revoke'>

/** What came of a task: exactly one of `ok` and `error`, in DAG-JSON. */
export type IssueReceiptRequest = EnclaveInput<'issue_receipt'>

/** A new invocation: `token` is the container text with its proofs, `task` what a receipt names. */
export type InvokeResult = EnclaveAnswer<'invoke'>

/** A new revocation or receipt: `token` is its container text. */
export type SignedResult = EnclaveAnswer<'revoke'>

/** The fields of an invocation's payload that a stored token keeps beside its text. */
export const invocationPayload = v.looseObject({
  iss: v.string(),
  aud: v.optional(v.string()),
  sub: v.string(),
  cmd: v.string(),
  args: v.record(v.string(), v.unknown()),
  exp: v.nullable(seconds),
})
