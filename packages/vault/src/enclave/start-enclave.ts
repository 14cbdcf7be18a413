import { createEnclave, type Enclave, EnclaveError, type EnclaveOptions } from '@keyhole/enclave'
import { sourcesOf, type VaultConfig, type VaultDependencies } from '../base/config.ts'
import { reasonOf, refused } from '../base/errors.ts'

/** Which plugin to start. */
export interface StartRequest {
  readonly signal: AbortSignal
  /** Overrides the configured one. */
  readonly wasmPath: string | undefined
  /** In browsers: the account whose tabs share the plugin. */
  readonly account: string | undefined
  /** Whether it's the plugin with devices. */
  readonly devices: boolean
}

/**
 * Starts a plugin.
 *
 * @throws VaultError WASM_NOT_LOADED 'Failed to initialize vault: …'; the signal's reason
 */
export async function startEnclave(
  config: VaultConfig,
  { createEnclave: create = createEnclave }: VaultDependencies,
  { signal, wasmPath, account, devices }: StartRequest,
): Promise<Enclave> {
  const either = config.signal ? AbortSignal.any([config.signal, signal]) : signal
  either.throwIfAborted()
  try {
    const more = { signal: either, ...(account !== undefined && { account }) }
    // What is configured is the plugin without devices. The other one comes with the enclave's package.
    if (devices) return await create({ ...optionsOf(config), ...more, devices: true })
    return await firstThatStarts(config, wasmPath, (options) => create({ ...options, ...more }))
  } catch (error) {
    if (either.aborted) throw either.reason
    const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
    const reason = reasonOf(error)
    const name = code.code === 'TIMEOUT' ? 'EnclaveTimedOut' : 'EnclaveNotStarted'
    throw refused(name, { reason }, { details: { ...code, reason }, cause: error })
  }
}

/**
 * Starts a plugin without secrets that may ask the configured hosts for the keys of a `did:web`. @throws EnclaveError
 */
export async function startVerifier(
  config: VaultConfig,
  { createEnclave: create = createEnclave }: VaultDependencies,
  wasmPath: string | undefined,
): Promise<Enclave> {
  return await firstThatStarts(config, wasmPath, (options) =>
    create({ ...options, keyless: true, allowedHosts: config.didWebHosts ?? [] }),
  )
}

/** Starts the plugin from the first source that has it. */
async function firstThatStarts(
  config: VaultConfig,
  wasmPath: string | undefined,
  start: (options: EnclaveOptions) => Promise<Enclave>,
): Promise<Enclave> {
  const options = optionsOf(config)
  const sources = [...sourcesOf(config, wasmPath)]
  const last = sources.pop()
  for (const source of sources) {
    try {
      return await start({ ...options, ...(source && { source }) })
    } catch (error) {
      if (!(error instanceof EnclaveError && error.code === 'WASM_NOT_LOADED')) throw error
    }
  }
  return await start({ ...options, ...(last && { source: last }) })
}

function optionsOf({ workers, scriptUrl, loadTimeout }: VaultConfig): EnclaveOptions {
  return {
    ...(loadTimeout !== undefined && { loadTimeout }),
    ...(workers && { workers }),
    ...(scriptUrl && { scriptUrl }),
  }
}
