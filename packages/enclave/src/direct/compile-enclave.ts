import { EnclaveError, reasonOf } from '../errors.ts'
import { LOAD_TIMEOUT } from '../loading/loader.ts'
import { fetchVerified } from '../loading/source.ts'
import type { EnclaveOptions } from '../types.ts'

/**
 * Loads the plugin, checks its digest and compiles it, for `createVerifier` and `createEnclave({ module })`.
 * @throws EnclaveError WASM_NOT_LOADED if it can't be loaded or compiled, or isn't the expected build; TIMEOUT. The
 *   signal's reason if the caller aborts.
 */
export async function compileEnclave({
  source,
  devices,
  signal,
  loadTimeout = LOAD_TIMEOUT,
}: Pick<EnclaveOptions, 'source' | 'devices' | 'signal' | 'loadTimeout'> = {}): Promise<WebAssembly.Module> {
  const { bytes } = await fetchVerified(source, { devices, timeout: loadTimeout, signal })
  try {
    return await WebAssembly.compile(bytes)
  } catch (error) {
    const message = `The enclave could not be compiled: ${reasonOf(error)}`
    throw new EnclaveError('WASM_NOT_LOADED', message, {}, { cause: error })
  }
}
