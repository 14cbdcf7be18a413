import { coreCount, planWorker } from '#platform'
import { CALL_TIMEOUT } from '../create-enclave.ts'
import { LOAD_TIMEOUT } from '../loading/loader.ts'
import { fetchVerified } from '../loading/source.ts'
import type { Pool, PoolOptions } from './pool.ts'

/**
 * Loads the plugin, checks its digest, and starts it in several workers: Workers in browsers, threads in Node. They
 * have no vault and no secret.
 * @throws EnclaveError OPERATION_FAILED if `size` isn't a number of workers, or one can't be started; WASM_NOT_LOADED
 *   if the plugin can't be loaded or isn't the expected build; TIMEOUT. The signal's reason if the caller aborts.
 */
export async function createPool({ size = coreCount(), ...options }: PoolOptions = {}): Promise<Pool> {
  const { source, signal, timeout: patience = CALL_TIMEOUT, loadTimeout = LOAD_TIMEOUT } = options
  signal?.throwIfAborted()
  const plan = planWorker({ ...options, keyless: true })
  const wasm = fetchVerified(source, { keyless: true, timeout: loadTimeout, signal })
  // Awaited later, once the workers' script is loading.
  wasm.catch(() => {})
  const { allowedHosts = [] } = options
  // Loaded on demand, because most pages check no batches.
  const { startPool } = await import('./worker-pool.ts')
  return await startPool({ plan, wasm, allowedHosts, patience, timeout: loadTimeout, size, signal })
}
