import type { EXPORTS } from '../artefact.ts'
import { declaredOf } from '../declared.ts'
import { EnclaveError, reasonOf } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { EnclaveAnswer, EnclaveExport, EnclaveInput, EnclaveRefusalName, Refusal } from '../types.ts'
import { type Clock, DirectPlugin } from './direct-plugin.ts'

/** The functions that need no vault and no secret: `verify_token`, `validate_invocation`, `validate_batch`, … */
export type KeylessExport = {
  [Name in EnclaveExport]: (typeof EXPORTS)[Name] extends { readonly keyless: true } ? Name : never
}[EnclaveExport]

/** How a verifier is made. */
export interface VerifierOptions {
  /** This package's plugin, compiled: `@keyhole/enclave/enclave.wasm` where modules can be imported, else of `compileEnclave`. */
  readonly module: WebAssembly.Module
  /** The time of checks that name no `now`. Default: `Date.now`. */
  readonly clock?: Clock
}

/** The enclave in this thread, without keys: what it is asked it has answered when the call returns. */
export interface Verifier {
  /**
   * Calls a function that needs no keys. It takes up to a quarter of a second of processor time, whatever its input, and the thread
   * does nothing else meanwhile.
   *
   * @param input what the function takes; `bigint` is written as digits
   * @returns the function's answer, or its refusal. Integers past 2^53 are `bigint`.
   * @throws EnclaveError OPERATION_FAILED where there is no such function, or the plugin trapped: the next call goes to a fresh one
   */
  call<Name extends KeylessExport>(
    name: Name,
    input: EnclaveInput<Name>,
  ): EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>
  /** As `call`, with the input and the answer as JSON text. */
  callText(name: KeylessExport, input: string): string
}

/**
 * Makes a verifier, at once. It keeps what it has checked of delegations that come again, as every enclave does.
 *
 * @throws EnclaveError WASM_NOT_LOADED where the module is not this version's plugin
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
    // The plugin answers by the contract that was made from the same sources.
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
