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
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** By what an enclave that could not be asked says. */
const CALLS = {
  OPERATION_FAILED: 'CallFailed',
  TIMEOUT: 'CallTimedOut',
  WASM_NOT_LOADED: 'EnclaveNotLoaded',
} as const

/**
 * Calls an export. An answer without a field that the contract has is another build's, and is a failure of the call.
 *
 * @param failure what to say where the call itself fails: 'Failed to sign data'
 * @throws VaultError OPERATION_FAILED: with the plugin's text where it refuses (its code, name and CID in `details`),
 * 'No output from plugin', or `failure`. The signal's reason, where the caller aborts.
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

/** Has an enclave hold no account any more. What it derives at the moment is given up. Never fails. */
export async function empty(enclave: Enclave): Promise<void> {
  // A lock goes before what is at work; where nothing is open it is refused, and has ended that all the same.
  await enclave.call('lock_vault', {}).catch(() => undefined)
  await enclave.call('close_vault', {}).catch(() => undefined)
}

/** Ends an enclave that was begun for one work, and what it holds. */
export async function discard(enclave: Enclave): Promise<void> {
  await empty(enclave)
  await enclave.close()
}
