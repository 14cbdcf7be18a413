import { EnclaveError } from '../errors.ts'
import { DEVICES_WASM_SHA256, WASM_SHA256 } from '../generated/artefact.ts'
import type { WasmSource } from '../types.ts'
import { type VerifiedWasm, verifyWasm } from './digest.ts'
import { cdnUrl, loadWasm } from './loader.ts'

/** How long loading may take, and what aborts it. */
export interface FetchOptions {
  /** The build with devices. Default: the one without. */
  readonly devices?: boolean | undefined
  /** Nothing secret will be in it. Then Node takes the build for services, if the caller names no other. */
  readonly keyless?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/**
 * Loads the plugin and checks its digest: this package's own, unless the caller gives another. A URL on another origin
 * requires one.
 * @throws EnclaveError WASM_NOT_LOADED, TIMEOUT; the signal's reason
 */
export async function fetchVerified(
  source: WasmSource | undefined,
  { devices = false, keyless = false, timeout, signal }: FetchOptions,
): Promise<VerifiedWasm> {
  const own = devices ? DEVICES_WASM_SHA256 : WASM_SHA256
  if (source !== undefined && 'bytes' in source) {
    const bytes = new Uint8Array(source.bytes)
    return verifyWasm(bytes, source.sha256 ?? own, 'the bytes given')
  }
  const sha256 = source?.sha256 ?? own
  const url = urlOf(source, devices)
  if (url !== undefined && source?.sha256 === undefined && isForeign(source, url)) {
    throw new EnclaveError(
      'WASM_NOT_LOADED',
      `The WASM at ${url} is on another origin: give its SHA-256 as source.sha256.`,
      { url: String(url) },
    )
  }
  const loaded = await loadWasm({
    devices,
    keyless,
    timeout,
    ...(url !== undefined && { url }),
    ...(signal && { signal }),
  })
  return verifyWasm(loaded.bytes, loaded.sha256 ?? sha256, loaded.url)
}

function urlOf(source: WasmSource | undefined, devices: boolean): string | URL | undefined {
  if (source === undefined) return undefined
  if ('url' in source) return source.url
  return cdnUrl('version' in source ? source.version : undefined, devices)
}

/**
 * Whether it's a caller's URL on another origin than the page. The CDN has only our own builds, which our digest
 * matches.
 */
function isForeign(source: WasmSource | undefined, url: string | URL): boolean {
  if (source === undefined || !('url' in source) || globalThis.location === undefined) return false
  return URL.canParse(url, location.href) && new URL(url, location.href).origin !== location.origin
}
