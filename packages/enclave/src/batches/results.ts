import { EnclaveError, isRefusal } from '../errors.ts'
import type { ValidationResult } from '../generated/contract.ts'

/**
 * The results of `validate_batch`, in the order of the invocations.
 * @throws EnclaveError OPERATION_FAILED if the answer is a refusal, or not an answer of `validate_batch`
 */
export function resultsOf(answer: unknown, count: number): readonly ValidationResult[] {
  if (isRefusal(answer)) {
    const { error, ...details } = answer
    throw new EnclaveError('OPERATION_FAILED', error, details)
  }
  if (isBatchResult(answer) && answer.results.length === count) return answer.results
  throw new EnclaveError('OPERATION_FAILED', 'The enclave gave no result for each invocation.', {
    name: 'validate_batch',
  })
}

/** Whether a shared call had no work left for it. */
export function isTooMuchWork(result: ValidationResult): boolean {
  return !result.valid && result.error.name === 'TooMuchWork'
}

/** Whether a result may be due to others in the same call, and could be different alone. */
export function mayBeOfOthers(result: ValidationResult): boolean {
  return isTooMuchWork(result) || (!result.valid && result.error.name === 'Replayed')
}

/** Results as from a single plugin call: if two have the same CID, the second is a replay. */
export function withReplays(results: readonly ValidationResult[]): readonly ValidationResult[] {
  const accepted = new Set<string>()
  return results.map((result) => {
    if (!result.valid) return result
    const { cid } = result
    if (!accepted.has(cid)) {
      accepted.add(cid)
      return result
    }
    const message = 'This invocation was carried out before: each one can be used once.'
    return { valid: false, error: { name: 'Replayed', why: 'CarriedOutBefore', message, cid } }
  })
}

/** Whether an answer has a list of results. */
export function isBatchResult(value: unknown): value is { results: readonly ValidationResult[] } {
  if (typeof value !== 'object' || value === null || !('results' in value)) return false
  return Array.isArray(value.results) && value.results.every(isResult)
}

function isResult(value: unknown): value is ValidationResult {
  if (typeof value !== 'object' || value === null || !('valid' in value)) return false
  if (value.valid === true) return 'cid' in value && typeof value.cid === 'string'
  return value.valid === false && 'error' in value && typeof value.error === 'object' && value.error !== null
}
