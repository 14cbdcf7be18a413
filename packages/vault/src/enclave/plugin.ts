import {
  type Enclave,
  type EnclaveAnswer,
  EnclaveError,
  type EnclaveExport,
  type EnclaveInput,
  isAnswer,
  isRefusal,
} from '@keyhole/enclave'
import { reasonOf, refused, VaultError } from '../base/errors.ts'

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Refusal names by the enclave's error code. */
const CALLS = {
  OPERATION_FAILED: 'CallFailed',
  TIMEOUT: 'CallTimedOut',
  WASM_NOT_LOADED: 'EnclaveNotLoaded',
} as const

/**
 * Calls an export. An answer without a field of the contract comes from another build, and counts as a failed call.
 * @param failure the error's text if the call itself fails: 'Failed to sign data'
 * @throws VaultError OPERATION_FAILED with the plugin's text if it refuses (its code, name and CID in `details`), 'No
 *   output from plugin', or `failure`. The signal's reason if the caller aborts.
 */
export async function callPlugin<Name extends EnclaveExport>(
  enclave: Enclave,
  name: Name,
  input: EnclaveInput<Name>,
  failure: string,
  options: CallOptions = {},
): Promise<EnclaveAnswer<Name>> {
  let result: unknown
  try {
    result = await enclave.callByName(name, input, options)
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason
    const code: { code?: EnclaveError['code'] } = error instanceof EnclaveError ? { code: error.code } : {}
    const details = { ...code, reason: reasonOf(error) }
    throw refused(CALLS[code.code ?? 'OPERATION_FAILED'], { failure }, { details, cause: error })
  }
  if (isRefusal(result)) {
    const { error, args, ...details } = result
    throw new VaultError('OPERATION_FAILED', error, { ...details, ...(args && { args: { ...args } }) })
  }
  if (result === undefined || result === null || result === '') {
    throw refused('NoOutput')
  }
  if (isAnswer(name, result)) return result
  throw refused('CallFailed', { failure }, { details: { reason: 'The plugin is of another version.' } })
}

/** Removes the account from an enclave, and cancels any key derivation. Never fails. */
export async function empty(enclave: Enclave): Promise<void> {
  // A lock goes ahead of work in progress and ends it, even if it is refused because nothing is open.
  await enclave.call('lock_vault', {}).catch(() => undefined)
  await enclave.call('close_vault', {}).catch(() => undefined)
}

/** Ends a temporary enclave and removes what it holds. */
export async function discard(enclave: Enclave): Promise<void> {
  await empty(enclave)
  await enclave.close()
}
