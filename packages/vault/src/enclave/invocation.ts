import type { EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import * as v from 'valibot'
import { seconds } from './protocol.ts'

/** What to do, and on whose authority. `args` is a DAG-JSON map. */
export type InvokeRequest = EnclaveInput<'invoke'>

/** Which delegation to revoke. */
export type RevokeRequest = EnclaveInput<'revoke'>

/** The result of a task: exactly one of `ok` and `error`, in DAG-JSON. */
export type IssueReceiptRequest = EnclaveInput<'issue_receipt'>

/** A new invocation: `token` is the container text with its proofs, `task` what a receipt refers to. */
export type InvokeResult = EnclaveAnswer<'invoke'>

/** A new revocation or receipt: `token` is its container text. */
export type SignedResult = EnclaveAnswer<'revoke'>

/** The fields of an invocation's payload that are stored with its text. */
export const invocationPayload = v.looseObject({
  iss: v.string(),
  aud: v.optional(v.string()),
  sub: v.string(),
  cmd: v.string(),
  args: v.record(v.string(), v.unknown()),
  exp: v.nullable(seconds),
})
