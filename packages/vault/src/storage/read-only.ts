import { VaultError } from '../base/errors.ts'

/** @returns the refusal to change an account that is open from its second copy */
export function readOnlyError(): VaultError {
  return new VaultError(
    'OPERATION_FAILED',
    'This vault is open from its second copy, where nothing can be saved. Write a backup, and restore it in another browser.',
    { name: 'OpenFromCopy' },
  )
}
