import { VaultError } from '../../base/errors.ts'

/** What a relay says of a code. The enclave says the same of what it reads. */
const REFUSALS = {
  RecoveryCodeReplaced: 'This recovery code was replaced or removed.',
}

/** @param cause what the relay said */
export function recoveryRefused(name: keyof typeof REFUSALS, cause?: unknown): VaultError {
  return new VaultError('OPERATION_FAILED', REFUSALS[name], { name }, { cause })
}
