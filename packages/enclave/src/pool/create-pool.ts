import { coreCount, planWorker } from '#platform'
import { CALL_TIMEOUT } from '../create-enclave.ts'
import { LOAD_TIMEOUT } from '../loading/loader.ts'
import { fetchVerified } from '../loading/source.ts'
import type { Pool, PoolOptions } from './pool.ts'

/**
 * Loads the plugin, checks its digest, and starts it in several workers: Workers in browsers, threads in Node. They
 * hold no vault and no secret.
 *
 * @throws EnclaveError OPERATION_FAILED where `size` is not a number of workers, or one cannot be started; WASM_NOT_LOADED
 * where the plugin cannot be loaded or is not the expected build; TIMEOUT. The signal's reason, where the caller aborts.
 */
export async function createPool({ size = coreCount(), ...options }: PoolOptions = {}): Promise<Pool> {
  const { source, signal, timeout: patience = CALL_TIMEOUT, loadTimeout = LOAD_TIMEOUT } = options
  signal?.throwIfAborted()
  const plan = planWorker({ ...options, keyless: true })
  const wasm = fetchVerified(source, { timeout: loadTimeout, signal })
  // It is awaited once the workers' script is on its way.
  wasm.catch(() => {})
  const { allowedHosts = [] } = options
  // A page that checks no batches does without it.
  const { startPool } = await import('./worker-pool.ts')
  return await startPool({ plan, wasm, allowedHosts, patience, timeout: loadTimeout, size, signal })
}
