import { readBundledWasm } from '#platform'
import { EnclaveError, reasonOf } from '../errors.ts'

/** Milliseconds that loading the plugin may take. */
export const LOAD_TIMEOUT = 30_000

const CDN = 'https://cdn.jsdelivr.net/npm/@keyhole/enclave'

/** How the plugin's bytes are loaded. */
export interface LoadOptions {
  /** The caller's URL; in a document, relative to it. */
  readonly url?: string | URL
  /** A version on the package CDN. Without this and `url`, the asset that comes with this package is loaded. */
  readonly version?: string
  /** The build with devices, unless there is a `url`. Default: the one without. */
  readonly devices?: boolean
  /** Nothing secret will be in it. Then Node takes the build for services. */
  readonly keyless?: boolean
  /** Milliseconds. Default 30,000. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
}

/** The plugin as loaded. Its digest hasn't been checked yet: `createEnclave` does that. */
export interface LoadedWasm {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly url: string
  /** The digest of this build, if it isn't the one that was asked for. */
  readonly sha256?: string
}

/** The plugin's URL on the package CDN. @param version default `latest` @param devices the build with devices */
export function cdnUrl(version = 'latest', devices = false): string {
  return `${CDN}@${encodeURIComponent(version)}/dist/${devices ? 'enclave-devices' : 'enclave'}.wasm`
}

/**
 * Loads the plugin's bytes: from the caller's URL, from the package CDN by version, or the bundled asset. A content
 * type that is neither wasm nor octet-stream only causes a warning on the console.
 * @throws EnclaveError WASM_NOT_LOADED 'Failed to load WASM from {url}: {reason}'; TIMEOUT 'WASM loading timed out
 *   after {ms}ms'. The signal's reason if the caller aborts.
 */
export async function loadWasm(options: LoadOptions = {}): Promise<LoadedWasm> {
  const {
    devices = false,
    keyless = false,
    timeout = LOAD_TIMEOUT,
    signal,
    fetch = globalThis.fetch,
  } = options
  signal?.throwIfAborted()
  const timer = new AbortController()
  const timedOut = setTimeout(() => timer.abort(), timeout)
  const either = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal
  const url = options.url ?? (options.version === undefined ? undefined : cdnUrl(options.version, devices))
  try {
    const load = (from: string | URL) => fetchWasm(fetch, from, either)
    return await (url === undefined ? readBundledWasm(load, devices, keyless) : load(url))
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (timer.signal.aborted) {
      throw new EnclaveError('TIMEOUT', `WASM loading timed out after ${timeout}ms`, { timeout })
    }
    const from = url === undefined ? 'the bundled asset' : String(url)
    throw new EnclaveError(
      'WASM_NOT_LOADED',
      `Failed to load WASM from ${from}: ${reasonOf(error)}`,
      { url: from },
      { cause: error },
    )
  } finally {
    clearTimeout(timedOut)
  }
}

async function fetchWasm(
  fetch: typeof globalThis.fetch,
  url: string | URL,
  signal: AbortSignal,
): Promise<LoadedWasm> {
  const response = await fetch(url, { headers: { Accept: 'application/wasm' }, signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`Failed to load WASM: ${response.status} ${response.statusText}`)
  }
  const type = response.headers.get('Content-Type') ?? ''
  if (!/^application\/(?:wasm|octet-stream)\s*(?:;|$)/i.test(type)) {
    console.warn(`WASM from ${url} came with content type '${type}', expected 'application/wasm'`)
  }
  return { bytes: new Uint8Array(await response.arrayBuffer()), url: String(url) }
}
