import { planWorker } from '#platform'
import { LOAD_TIMEOUT } from './loading/loader.ts'
import { fetchVerified } from './loading/source.ts'
import type { Enclave, EnclaveOptions } from './types.ts'
import { isKeyless } from './worker/connection.ts'
import { Remote } from './worker/remote.ts'

/** Milliseconds a call may take. */
export const CALL_TIMEOUT = 30_000

/**
 * Loads the plugin, checks its digest, and starts it in a worker. In browsers that is the SharedWorker for all tabs (or
 * a dedicated Worker without SharedWorker, and for a keyless enclave); in Node it is a thread. A compiled `module`
 * starts in the caller's own thread instead.
 * @throws EnclaveError WASM_NOT_LOADED if the plugin can't be loaded or isn't the expected build; TIMEOUT if loading or
 *   starting takes too long; OPERATION_FAILED if there is no worker to start, or the account is open in another version
 *   of the client. The signal's reason if the caller aborts.
 */
export async function createEnclave(options: EnclaveOptions = {}): Promise<Enclave> {
  const { account, signal, timeout = CALL_TIMEOUT, loadTimeout = LOAD_TIMEOUT } = options
  signal?.throwIfAborted()
  const { module } = options
  const { plan, wasm } = module ? await inProcess(module, options) : inWorker(options, loadTimeout)
  const enclave = new Remote({
    plan,
    wasm,
    account: isKeyless(options) ? undefined : account,
    allowedHosts: options.allowedHosts ?? [],
    timeout,
    startTimeout: loadTimeout,
  })
  try {
    await enclave.start(signal)
  } catch (error) {
    await enclave.close()
    throw error
  }
  return enclave
}

/** In the caller's thread. Its code is loaded on demand, because a page doesn't need it. */
async function inProcess(module: WebAssembly.Module, options: EnclaveOptions) {
  const { COMPILED, planInProcess } = await import('./direct/in-process.ts')
  return { plan: planInProcess(module, options), wasm: Promise.resolve(COMPILED) }
}

function inWorker(options: EnclaveOptions, timeout: number) {
  const plan = planWorker(options)
  const { devices, source, signal } = options
  const wasm = fetchVerified(source, { devices, keyless: isKeyless(options), timeout, signal })
  // Awaited later, once the worker's script is loading.
  wasm.catch(() => {})
  return { plan, wasm }
}
