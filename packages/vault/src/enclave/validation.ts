import type { EnclaveAnswer, EnclaveInput, ValidationChecks, ValidationResult } from '@keyhole/enclave'

/** What to check invocations against, and the result. */
export type { ValidationChecks, ValidationResult }

/** One invocation, and any number of delegations. */
export type ValidateInvocationRequest = EnclaveInput<'validate_invocation'>

/** Texts as in `ValidateInvocationRequest`; the checks apply to each. */
export type ValidateBatchRequest = EnclaveInput<'validate_batch'>

/** One result each, in order. If two have the same CID, the second is `Replayed`. */
export type ValidateBatchResult = EnclaveAnswer<'validate_batch'>

/** What a call is tested against: one delegation's conditions, or those of each in a chain, root first. */
export type EvaluatePolicyRequest = EnclaveInput<'evaluate_policy'>

/**
 * Whether a call is allowed, and every rule that was checked: the command of `link`, or the `statement` at these
 * positions from the outside in. `holds` is null if that takes too much work, `resolved` whether the statement's path
 * leads anywhere, `found` the value there if it's short, `item` which list item decides.
 */
export type EvaluatePolicyResult = EnclaveAnswer<'evaluate_policy'>
