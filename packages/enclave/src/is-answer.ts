import { ANSWER_FIELDS, REFUSALS, REFUSES } from './contract.ts'
import type { EnclaveAnswer, EnclaveExport } from './types.ts'

/**
 * Whether an export's answer has the fields of the contract. Always true for this package's own build, unless it
 * refused; another build may be of a different version.
 */
export function isAnswer<Name extends EnclaveExport>(
  name: Name,
  answer: unknown,
): answer is EnclaveAnswer<Name> {
  if (typeof answer !== 'object' || answer === null) return false
  const fields: readonly string[] = ANSWER_FIELDS[name]
  return fields.every((field) => field in answer)
}

/** Whether the contract lists a refusal for an export. Always true for this package's own build. */
export function mayRefuse(name: EnclaveExport, refusal: string): boolean {
  const groups: readonly (readonly string[])[] = REFUSES[name].map((group) => REFUSALS[group])
  return groups.some((names) => names.includes(refusal))
}
