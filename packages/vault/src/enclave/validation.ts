import type { EnclaveAnswer, EnclaveInput, ValidationChecks, ValidationResult } from '@keyhole/enclave'

/** What invocations are checked against, and what came of it. */
export type { ValidationChecks, ValidationResult }

/** One invocation, and any number of delegations. */
export type ValidateInvocationRequest = EnclaveInput<'validate_invocation'>

/** Texts as `ValidateInvocationRequest` has them; the checks hold for each. */
export type ValidateBatchRequest = EnclaveInput<'validate_batch'>

/** One result each, in order; the second of two with one CID is `Replayed`. */
export type ValidateBatchResult = EnclaveAnswer<'validate_batch'>

/** What stands between a call and being allowed: what one delegation says, or each of a chain, root first. */
export type EvaluatePolicyRequest = EnclaveInput<'evaluate_policy'>

/**
 * Whether a call is allowed, and every rule that was checked: of `link`, its command or the `statement` at these positions
 * from the outside in. `holds` is null where that takes too much work to tell, `resolved` whether the statement's path
 * leads anywhere, `found` what it leads to where that is short, `item` which item of a list decides.
 */
export type EvaluatePolicyResult = EnclaveAnswer<'evaluate_policy'>
