import * as v from 'valibot'
import { chainLink, seconds, tokenRefusal } from './protocol.ts'

/** What invocations are checked against. CIDs are text; a token's text is a container, or a bare envelope. */
export interface ValidationChecks {
  /** DID of the verifier: the invocation must be meant for it. Default: any audience. */
  readonly audience?: string
  /** Seconds since 1970. Default: the host's clock. */
  readonly now?: number
  /** Seconds of clock difference allowed. Default 60. */
  readonly skew?: number
  /** CIDs that the caller knows to be revoked. */
  readonly revoked?: readonly string[]
  /** Revocations' texts: each takes effect where its issuer may revoke in the chain at hand. */
  readonly revocations?: readonly string[]
  /** CIDs of the invocations accepted before: they are `Replayed`. */
  readonly seen?: readonly string[]
  /** Texts with proofs that an invocation's own text may leave out. */
  readonly proofs?: readonly string[]
}

export interface ValidateInvocationRequest extends ValidationChecks {
  /** One invocation, and any number of delegations. */
  readonly invocation: string
}

export interface ValidateBatchRequest extends ValidationChecks {
  /** Texts as `ValidateInvocationRequest` has them; the checks hold for each. */
  readonly invocations: readonly string[]
}

export const validationResult = v.variant('valid', [
  v.looseObject({
    valid: v.literal(true),
    cid: v.string(),
    expires_at: v.nullable(seconds),
    task: v.string(),
    command: v.string(),
    args: v.record(v.string(), v.unknown()),
    subject: v.string(),
    issuer: v.string(),
    chain: v.array(chainLink),
  }),
  v.looseObject({
    valid: v.literal(false),
    error: v.looseObject({
      ...tokenRefusal.entries,
      expected: v.optional(v.unknown()),
      found: v.optional(v.unknown()),
    }),
  }),
])
/**
 * Whether an invocation holds: what may be done (`command`, `args`), of whose (`subject`), by whom (`issuer`), and the
 * proofs, root first; or which rule it breaks, and at which token.
 */
export type ValidationResult = v.InferOutput<typeof validationResult>

export const validateBatchResult = v.looseObject({ results: v.array(validationResult) })
/** One result each, in order; the second of two with one CID is `Replayed`. */
export type ValidateBatchResult = v.InferOutput<typeof validateBatchResult>
