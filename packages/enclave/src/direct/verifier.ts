import { declaredOf } from '../declared.ts'
import { EnclaveError, reasonOf } from '../errors.ts'
import type { DECLARED } from '../generated/artefact.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { EnclaveAnswer, EnclaveExport, EnclaveInput, EnclaveRefusalName, Refusal } from '../types.ts'
import { type Clock, DirectPlugin } from './direct-plugin.ts'

/** The functions that need no vault and no secret: `verify_token`, `validate_invocation`, `validate_batch`, … */
export type KeylessExport = {
  [Name in EnclaveExport & keyof typeof DECLARED]: (typeof DECLARED)[Name] extends { readonly keyless: true }
    ? Name
    : never
}[EnclaveExport & keyof typeof DECLARED]

/** How to create a verifier. */
export interface VerifierOptions {
  /**
   * This package's compiled plugin: `@keyhole/enclave/enclave.wasm` if modules can be imported, otherwise from
   * `compileEnclave`.
   */
  readonly module: WebAssembly.Module
  /** The time for checks without a `now`. Default: `Date.now`. */
  readonly clock?: Clock
}

/** A keyless enclave in this thread, whose calls return the answer directly. */
export interface Verifier {
  /**
   * Calls a function that needs no keys. Any input takes at most a quarter of a second of processor time, during which
   * the thread does nothing else.
   * @param input what the function takes; `bigint` is written as digits
   * @returns the function's answer, or its refusal. Integers past 2^53 are `bigint`.
   * @throws EnclaveError OPERATION_FAILED if there is no such function, or the plugin trapped: the next call uses a
   *   fresh one
   */
  call<Name extends KeylessExport>(
    name: Name,
    input: EnclaveInput<Name>,
  ): EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>
  /** Like `call`, with the input and the answer as JSON text. */
  callText(name: KeylessExport, input: string): string
}

/**
 * Creates a verifier. Like every enclave, it remembers the delegations it has checked.
 * @throws EnclaveError WASM_NOT_LOADED if the module isn't this version's plugin
 */
export function createVerifier({ module, clock }: VerifierOptions): Verifier {
  return new DirectVerifier(new DirectPlugin(module, clock))
}

class DirectVerifier implements Verifier {
  #plugin: DirectPlugin

  constructor(plugin: DirectPlugin) {
    this.#plugin = plugin
  }

  call<Name extends KeylessExport>(
    name: Name,
    input: EnclaveInput<Name>,
  ): EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>> {
    // The contract is generated from the plugin's own sources, so its answers match.
    return parseJson(this.callText(name, stringifyJson(input))) as
      | EnclaveAnswer<Name>
      | Refusal<EnclaveRefusalName<Name>>
  }

  callText(name: KeylessExport, input: string): string {
    if (declaredOf(name).keyless !== true)
      throw new EnclaveError('OPERATION_FAILED', `A verifier has no ${name}: it holds no keys.`, { name })
    try {
      return this.#plugin.call(name, input) ?? ''
    } catch (error) {
      this.#plugin = this.#plugin.fresh()
      const message = `The enclave failed in ${name}: ${reasonOf(error)}`
      throw new EnclaveError('OPERATION_FAILED', message, { name }, { cause: error })
    }
  }
}
