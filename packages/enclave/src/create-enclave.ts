import { planWorker } from '#platform'
import { LOAD_TIMEOUT } from './loading/loader.ts'
import { fetchVerified } from './loading/source.ts'
import type { Enclave, EnclaveOptions } from './types.ts'
import { isKeyless } from './worker/connection.ts'
import { Remote } from './worker/remote.ts'

/** Milliseconds a call may take. */
export const CALL_TIMEOUT = 30_000

/**
 * Loads the plugin, checks its digest, and starts it in a worker: in browsers in the one SharedWorker for all tabs (a
 * dedicated Worker where there is none, and for what is keyless), in Node in a thread. Of a `module` that is compiled already it starts it in
 * the caller's own thread.
 *
 * @throws EnclaveError WASM_NOT_LOADED where the plugin cannot be loaded or is not the expected build; TIMEOUT where
 * loading or starting takes too long; OPERATION_FAILED where there is no worker to start, or the account is open in
 * another version of the client. The signal's reason, where the caller aborts.
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

/** In the caller's thread. What that takes is loaded where it is asked for: a page has no need of it. */
async function inProcess(module: WebAssembly.Module, options: EnclaveOptions) {
  const { COMPILED, planInProcess } = await import('./direct/in-process.ts')
  return { plan: planInProcess(module, options), wasm: Promise.resolve(COMPILED) }
}

function inWorker(options: EnclaveOptions, timeout: number) {
  const plan = planWorker(options)
  const wasm = fetchVerified(options.source, { timeout, signal: options.signal })
  // It is awaited once the worker's script is on its way.
  wasm.catch(() => {})
  return { plan, wasm }
}
