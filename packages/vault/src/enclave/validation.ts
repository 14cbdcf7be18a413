import * as v from 'valibot'
import { chainLink, type Policy, seconds, tokenRefusal } from './protocol.ts'

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

/** What stands between a call and being allowed: what one delegation says, or each of a chain, root first. */
export type EvaluatePolicyRequest = {
  /** What is asked for. `args` is a DAG-JSON map. */
  readonly call: { readonly command: string; readonly args: Readonly<Record<string, unknown>> }
} & (
  | { readonly command: string; readonly policy?: Policy; readonly links?: never }
  | {
      readonly links: readonly { readonly command: string; readonly policy?: Policy }[]
      readonly command?: never
    }
)

export const evaluatePolicyResult = v.looseObject({
  allowed: v.boolean(),
  checks: v.array(
    v.looseObject({
      link: v.number(),
      rule: v.picklist(['command', 'statement']),
      statement: v.optional(v.array(v.number())),
      holds: v.nullable(v.boolean()),
      resolved: v.optional(v.boolean()),
      found: v.optional(v.unknown()),
      item: v.optional(v.number()),
    }),
  ),
  complete: v.boolean(),
})
/**
 * Whether a call is allowed, and every rule that was checked: of `link`, its command or the `statement` at these positions
 * from the outside in. `holds` is null where that takes too much work to tell, `resolved` whether the statement's path
 * leads anywhere, `found` what it leads to where that is short, `item` which item of a list decides.
 */
export type EvaluatePolicyResult = v.InferOutput<typeof evaluatePolicyResult>

export const validateBatchResult = v.looseObject({ results: v.array(validationResult) })
/** One result each, in order; the second of two with one CID is `Replayed`. */
export type ValidateBatchResult = v.InferOutput<typeof validateBatchResult>
