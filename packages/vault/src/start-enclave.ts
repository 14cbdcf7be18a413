import { createEnclave, type Enclave, type EnclaveOptions } from '@keyhole/enclave'
import { type VaultConfig, type VaultDependencies, wasmSource } from './config.ts'
import { reasonOf, VaultError } from './errors.ts'

/** Which plugin to start. */
export interface StartRequest {
  readonly signal: AbortSignal
  /** Instead of the configured one. */
  readonly wasmPath: string | undefined
  /** Which account it is to be shared for, in browsers. */
  readonly account: string | undefined
}

/**
 * Starts a plugin.
 *
 * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'; the signal's reason
 */
export async function startEnclave(
  config: VaultConfig,
  { createEnclave: create = createEnclave }: VaultDependencies,
  { signal, wasmPath, account }: StartRequest,
): Promise<Enclave> {
  const { workers, scriptUrl } = config
  const source = wasmSource(config, wasmPath)
  const options: EnclaveOptions = {
    signal,
    ...(source && { source }),
    ...(account !== undefined && { account }),
    ...(workers && { workers }),
    ...(scriptUrl && { scriptUrl }),
  }
  try {
    return await create(options)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
    const reason = reasonOf(error)
    const details = { ...code, reason }
    throw new VaultError('WASM_NOT_LOADED', `Failed to initialize vault: ${reason}`, details, {
      cause: error,
    })
  }
}
