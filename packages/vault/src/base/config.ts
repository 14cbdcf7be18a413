import type { createEnclave, EnclaveOptions, WasmSource } from '@keyhole/enclave'
import type { Clock } from './clock.ts'

/** How strong a passphrase is: `score` 0 to 4 as zxcvbn counts, and why, in words. */
export interface PassphraseAssessment {
  readonly score: number
  readonly feedback?: string
}

/** What a vault can be told when it is made. Every field has a default. */
export interface VaultConfig {
  /** The network that the addresses belong to. Default `keyhole-1`. */
  readonly chainId?: string
  /**
   * Keep state, tokens, sessions and metadata in IndexedDB. Default true. Otherwise accounts are in memory until the page is
   * loaded anew or the vault is closed, and tokens are not kept at all.
   */
  readonly enablePersistence?: boolean
  /** Delete expired tokens and sessions every `cleanupInterval`. Default true. */
  readonly autoCleanup?: boolean
  /** Milliseconds between two clean-ups. Default 3,600,000. */
  readonly cleanupInterval?: number
  /** A sealed state (the JSON text of a state record's `enclave`) to open instead of the stored one. */
  readonly enclave?: string
  /** URL of the plugin. Default `/enclave.wasm`, and the asset that comes with `@keyhole/enclave` where a site serves none there. */
  readonly wasmPath?: string
  /**
   * Where else the plugin comes from, instead of `wasmPath`: a URL (on another origin with its digest), the package CDN by
   * version, bytes at hand, or the asset that comes with `@keyhole/enclave`.
   */
  readonly wasmSource?: WasmSource | 'bundled'
  /** Milliseconds that loading the plugin may take, and starting its worker. Default 30,000. */
  readonly loadTimeout?: number
  /** Ends each start of the plugin, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** SHA-256 of the plugin in hex, for a caller's own build. Default: the digest of the bundled one. */
  readonly wasmSha256?: string
  /** Whether the React provider initialises on mount. Default true. */
  readonly autoInitialize?: boolean
  /** Where the worker scripts are served; handed on to the enclave. Default: beside the enclave's own files. */
  readonly workers?: EnclaveOptions['workers']
  /** The Trusted Types hook for those URLs; handed on to the enclave. */
  readonly scriptUrl?: EnclaveOptions['scriptUrl']
  /**
   * Host names that may be asked for the keys of a `did:web` when tokens and receipts are checked. Default none: what such a DID signed is
   * refused then. The enclave with the keys asks nobody, so that narrowing or using such a token is refused in any case.
   */
  readonly didWebHosts?: readonly string[]
  /** Judges a new passphrase; one that scores below 3 is refused. Default: zxcvbn, loaded when it is needed. */
  readonly assessPassphrase?: (passphrase: string) => Promise<PassphraseAssessment>
}

/** What embedders and tests can put in the place of the real thing. */
export interface VaultDependencies {
  readonly createEnclave?: typeof createEnclave
  /** What time it is, and timers, for locking and for slowing down guesses. */
  readonly clock?: Clock
  /**
   * The server's clock, in milliseconds since 1970; undefined where it cannot be asked. A second witness before anything
   * that has expired is deleted: a computer's own clock can be wrong.
   */
  readonly serverTime?: () => Promise<number | undefined>
  /** Hears `visibilitychange`, `focus`, `pageshow` and `resume`. Default: the page's window, where there is one. */
  readonly page?: EventTarget
}

export const DEFAULT_CHAIN_ID = 'keyhole-1'
export const DEFAULT_WASM_PATH = '/enclave.wasm'
/** One hour, in milliseconds. */
export const DEFAULT_CLEANUP_INTERVAL = 3_600_000

/**
 * Where the plugin comes from, first choice first; undefined: the bundled asset. The default path means something only to a
 * document, and there only on a site that serves the plugin at it.
 *
 * @param wasmPath a path that was given to `initialize`: it goes before what is configured
 */
export function sourcesOf(config: VaultConfig, wasmPath?: string): readonly (WasmSource | undefined)[] {
  if (wasmPath === undefined && config.wasmSource !== undefined) {
    return [config.wasmSource === 'bundled' ? undefined : config.wasmSource]
  }
  const path = wasmPath ?? config.wasmPath
  const { wasmSha256: sha256 } = config
  const at = (url: string) => (sha256 === undefined ? { url } : { url, sha256 })
  if (path !== undefined && path !== DEFAULT_WASM_PATH) return [at(path)]
  if (globalThis.location === undefined) return [undefined]
  return path === undefined && sha256 === undefined
    ? [at(DEFAULT_WASM_PATH), undefined]
    : [at(DEFAULT_WASM_PATH)]
}
