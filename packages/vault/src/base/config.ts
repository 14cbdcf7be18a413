import type { createEnclave, EnclaveOptions, WasmSource } from '@keyhole/enclave'
import type { Clock } from './clock.ts'

/** How strong a passphrase is: `score` 0 to 4 as zxcvbn counts, and why, in words. */
export interface PassphraseAssessment {
  readonly score: number
  readonly feedback?: string
}

/** Options for creating a vault. Every field has a default. */
export interface VaultConfig {
  /** The network that the addresses belong to. Default `keyhole-1`. */
  readonly chainId?: string
  /**
   * Keep state, tokens, sessions and metadata in IndexedDB. Default true. If false, accounts live in memory until the
   * page is reloaded or the vault is closed, and tokens are not stored at all.
   */
  readonly enablePersistence?: boolean
  /** Delete expired tokens and sessions every `cleanupInterval`. Default true. */
  readonly autoCleanup?: boolean
  /** Milliseconds between two clean-ups. Default 3,600,000. */
  readonly cleanupInterval?: number
  /** A sealed state (the JSON text of a state record's `enclave`) to open instead of the stored one. */
  readonly enclave?: string
  /**
   * URL of the plugin. Default `/enclave.wasm`, then the asset that comes with `@keyhole/enclave` if the site doesn't
   * serve it there.
   */
  readonly wasmPath?: string
  /**
   * Where to load the plugin from instead of `wasmPath`: a URL (with its digest if it's on another origin), the package
   * CDN by version, bytes, or the asset that comes with `@keyhole/enclave`.
   */
  readonly wasmSource?: WasmSource | 'bundled'
  /** How long loading the plugin and starting its worker may take, in milliseconds. Default 30,000. */
  readonly loadTimeout?: number
  /** Aborts every start of the plugin, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** SHA-256 of the plugin in hex, for a caller's own build. Default: the digest of the bundled one. */
  readonly wasmSha256?: string
  /** Whether the React provider initialises on mount. Default true. */
  readonly autoInitialize?: boolean
  /** Where the worker scripts are served; passed to the enclave. Default: beside the enclave's own files. */
  readonly workers?: EnclaveOptions['workers']
  /** The Trusted Types hook for those URLs; passed to the enclave. */
  readonly scriptUrl?: EnclaveOptions['scriptUrl']
  /**
   * Host names Keyhole may ask for the keys of a `did:web` when it checks tokens and receipts. Default none: then what
   * such a DID signed is refused. The enclave that holds the keys never asks, so narrowing or using such a token is
   * always refused.
   */
  readonly didWebHosts?: readonly string[]
  /** Scores a new passphrase; below 3 it is refused. Default: zxcvbn, loaded when needed. */
  readonly assessPassphrase?: (passphrase: string) => Promise<PassphraseAssessment>
}

/** What embedders and tests can replace. */
export interface VaultDependencies {
  readonly createEnclave?: typeof createEnclave
  /** Time and timers, for locking and for slowing down guesses. */
  readonly clock?: Clock
  /**
   * The server's clock, in milliseconds since 1970; undefined if it can't be asked. A computer's own clock can be
   * wrong, so this confirms the time before anything expired is deleted.
   */
  readonly serverTime?: () => Promise<number | undefined>
  /** Fires `visibilitychange`, `focus`, `pageshow` and `resume`. Default: the page's window, if there is one. */
  readonly page?: EventTarget
}

export const DEFAULT_CHAIN_ID = 'keyhole-1'
export const DEFAULT_WASM_PATH = '/enclave.wasm'
/** One hour, in milliseconds. */
export const DEFAULT_CLEANUP_INTERVAL = 3_600_000

/**
 * Where to load the plugin from, first choice first; undefined means the bundled asset. The default path only works in
 * a document, on a site that serves the plugin there.
 * @param wasmPath a path given to `initialize`; it takes precedence over the config
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
