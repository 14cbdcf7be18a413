import { refused, type VaultError } from '../base/errors.ts'

/** @returns the refusal to change an account that is open from its second copy */
export function readOnlyError(): VaultError {
  return refused('OpenFromCopy')
}
