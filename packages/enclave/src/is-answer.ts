import {
  ANSWER_FIELDS,
  DEVICE_ANSWER_FIELDS,
  DEVICE_REFUSALS,
  DEVICE_REFUSES,
  REFUSALS,
  REFUSES,
} from './generated/contract.ts'
import type { AnyExport, DeviceExport, EnclaveAnswer, EnclaveExport } from './types.ts'

/**
 * Whether an export's answer has the fields of the contract. Always true for this package's own build, unless it
 * refused; another build may be of a different version.
 */
export function isAnswer<Name extends EnclaveExport>(
  name: Name,
  answer: unknown,
): answer is EnclaveAnswer<Name> {
  return hasFields(ANSWER_FIELDS[name], answer)
}

/** Whether the contract lists a refusal for an export. Always true for this package's own builds. */
export function mayRefuse(name: AnyExport, refusal: string): boolean {
  const groups: Readonly<Record<string, readonly string[]>> = { ...REFUSALS, ...DEVICE_REFUSALS }
  const declared: readonly string[] = { ...REFUSES, ...DEVICE_REFUSES }[name]
  return declared.some((group) => groups[group]?.includes(refusal))
}

/** The same for an export for devices. */
export function isDeviceAnswer<Name extends DeviceExport>(
  name: Name,
  answer: unknown,
): answer is EnclaveAnswer<Name> {
  return hasFields(DEVICE_ANSWER_FIELDS[name], answer)
}

function hasFields(fields: readonly string[], answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && fields.every((field) => field in answer)
}
