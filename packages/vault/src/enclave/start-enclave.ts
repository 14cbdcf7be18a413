import { createEnclave, type Enclave, type EnclaveOptions } from '@keyhole/enclave'
import { sourceOf, type VaultConfig, type VaultDependencies } from '../base/config.ts'
import { reasonOf, refused } from '../base/errors.ts'

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
  const either = config.signal ? AbortSignal.any([config.signal, signal]) : signal
  either.throwIfAborted()
  const options: EnclaveOptions = {
    ...optionsOf(config, wasmPath),
    signal: either,
    ...(account !== undefined && { account }),
  }
  try {
    return await create(options)
  } catch (error) {
    if (either.aborted) throw either.reason
    const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
    const reason = reasonOf(error)
    const name = code.code === 'TIMEOUT' ? 'EnclaveTimedOut' : 'EnclaveNotStarted'
    throw refused(name, { reason }, { details: { ...code, reason }, cause: error })
  }
}

/** Starts a plugin that holds no secret and may ask the configured hosts for the keys of a `did:web`. @throws EnclaveError */
export async function startVerifier(
  config: VaultConfig,
  { createEnclave: create = createEnclave }: VaultDependencies,
  wasmPath: string | undefined,
): Promise<Enclave> {
  return await create({
    ...optionsOf(config, wasmPath),
    keyless: true,
    allowedHosts: config.didWebHosts ?? [],
  })
}

function optionsOf(config: VaultConfig, wasmPath?: string): EnclaveOptions {
  const { workers, scriptUrl, loadTimeout } = config
  const source = sourceOf(config, wasmPath)
  return {
    ...(source && { source }),
    ...(loadTimeout !== undefined && { loadTimeout }),
    ...(workers && { workers }),
    ...(scriptUrl && { scriptUrl }),
  }
}
