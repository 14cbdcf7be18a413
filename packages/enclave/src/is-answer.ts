import { ANSWER_FIELDS, REFUSALS, REFUSES } from './contract.ts'
import type { EnclaveAnswer, EnclaveExport } from './types.ts'

/**
 * Whether an export answered as the contract says, as far as its own fields go. Of this package's own build it is true for
 * every answer that is no refusal; a build that somebody else made may be of another version.
 */
export function isAnswer<Name extends EnclaveExport>(
  name: Name,
  answer: unknown,
): answer is EnclaveAnswer<Name> {
  if (typeof answer !== 'object' || answer === null) return false
  const fields: readonly string[] = ANSWER_FIELDS[name]
  return fields.every((field) => field in answer)
}

/** Whether an export may refuse by a name, as the contract has it. Of this package's own build it is true of every refusal. */
export function mayRefuse(name: EnclaveExport, refusal: string): boolean {
  const groups: readonly (readonly string[])[] = REFUSES[name].map((group) => REFUSALS[group])
  return groups.some((names) => names.includes(refusal))
}
