import type {
  DEVICE_REFUSALS,
  DEVICE_REFUSES,
  DeviceContract,
  EnclaveContract,
  Refusal as PluginRefusal,
  REFUSALS,
  REFUSES,
  RefusalName,
} from './generated/contract.ts'

/** Every function of the plugin. */
export type EnclaveExport = keyof EnclaveContract

/** Every function that only the build with devices has. */
export type DeviceExport = keyof DeviceContract

/** Every function of either build. */
export type AnyExport = EnclaveExport | DeviceExport

/** A function's input. */
export type EnclaveInput<Name extends AnyExport> = (EnclaveContract & DeviceContract)[Name]['input']

/** A function's answer, unless it refuses. */
export type EnclaveAnswer<Name extends AnyExport> = (EnclaveContract & DeviceContract)[Name]['answer']

/** The names that only functions for devices refuse by. */
export type DeviceRefusalName = (typeof DEVICE_REFUSALS)[keyof typeof DEVICE_REFUSALS][number]

/** The names of a function's refusals. */
export type EnclaveRefusalName<Name extends AnyExport> = (typeof REFUSALS &
  typeof DEVICE_REFUSALS)[(typeof REFUSES & typeof DEVICE_REFUSES)[Name][number]][number]

/** The arguments of `call` after the name. The input can be omitted if it has no required field. */
export type CallArguments<Name extends AnyExport> =
  Record<never, never> extends EnclaveInput<Name>
    ? [input?: EnclaveInput<Name>, options?: CallOptions]
    : [input: EnclaveInput<Name>, options?: CallOptions]

/**
 * Where the plugin's bytes come from: a URL, the package CDN by version (default `latest`), or bytes.
 * `sha256` is 64 hexadecimal digits. Without it, the bytes must be this package's own build; a URL on another origin
 * than the page requires it.
 */
export type WasmSource =
  | { readonly url: string | URL; readonly sha256?: string }
  | { readonly bytes: Uint8Array; readonly sha256?: string }
  | { readonly version?: string; readonly sha256?: string }

/** How to start an enclave. Every field has a default. */
export interface EnclaveOptions {
  /** Default: the asset that comes with this package. */
  readonly source?: WasmSource
  /**
   * Loads the build with the exports for an account's devices, `enclave-devices.wasm`, instead of `enclave.wasm`. A
   * `source` must then be that one. Default: false.
   */
  readonly devices?: boolean
  /**
   * Runs the plugin in this thread, from this package's compiled `enclave.wasm` or `enclave-devices.wasm`, for platforms
   * without Workers. Then `source`, `devices`, `workers` and `account` are ignored, and `allowedHosts` is refused.
   */
  readonly module?: WebAssembly.Module
  /** Browser: which vault of the shared worker. Tabs with the same account share it. Default: a separate one. */
  readonly account?: string
  /** For work that needs no secret: a dedicated Worker, restarted when a call hangs. */
  readonly keyless?: boolean
  /** How long a call may take, in milliseconds, including the wait for earlier calls. Default 30,000. */
  readonly timeout?: number
  /** How long loading the plugin and starting its worker may each take, in milliseconds. Default 30,000. */
  readonly loadTimeout?: number
  /** Aborts the start; `createEnclave` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Host names the plugin may ask over HTTP. Default none. If there are any, the enclave is keyless. */
  readonly allowedHosts?: readonly string[]
  /**
   * Browser: where `@keyhole/enclave/shared-worker` and `/dedicated-worker` are served. Default: beside this package's
   * own files.
   */
  readonly workers?: { readonly shared?: string | URL; readonly dedicated?: string | URL }
  /** Browser: converts a worker's URL before it is used, for a Trusted Types policy. */
  readonly scriptUrl?: (url: string) => string
}

/** One plugin instance: in a worker, or in process. */
export interface Enclave {
  /** The account given at the start or to `adopt`. */
  readonly account: string | undefined
  /** Where the plugin runs. */
  readonly kind: EnclaveKind
  /**
   * Calls a function of the plugin. Many calls may be in flight. They run in the order they were made, except that
   * `lock_vault`, together with the calls made in the same turn before it, runs ahead of all that haven't started. An
   * overtaken call that needs the keys is answered with VAULT_LOCKED. So is an earlier `unlock_vault`, and a call that
   * is deriving a key, which is cancelled.
   * A function for devices is refused as `DevicesNotLoaded` unless the enclave was started with `devices`.
   * @param input what the function takes; `bigint` is written as digits. Default: empty
   * @returns the function's answer, or its refusal. Integers past 2^53 are `bigint`.
   * @throws EnclaveError TIMEOUT after `timeout` ms; OPERATION_FAILED if the worker is gone or the plugin trapped. The
   *   signal's reason if the caller aborts; the call may still have taken effect.
   */
  call<Name extends AnyExport>(
    name: Name,
    ...given: CallArguments<Name>
  ): Promise<EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>>
  /** Like `call`, for a function whose name is only known at run time. `undefined` if it gave no output. */
  callByName(name: AnyExport, input?: unknown, options?: CallOptions): Promise<unknown>
  /**
   * Names this instance with the address of the account just created or imported in it, so that other tabs find it.
   * @throws EnclaveError OPERATION_FAILED if the account is open elsewhere
   */
  adopt(account: string): Promise<void>
  /** Listens for changes to this instance that other clients made. @returns the unsubscribe */
  subscribe(listener: (change: EnclaveChange) => void): () => void
  /** Ends this client. The instance is erased when its last client has gone; calls still in flight reject. */
  close(options?: CloseOptions): Promise<void>
}

/** How to close an enclave. */
export interface CloseOptions {
  /**
   * Whether to wait, for a second at most, until the worker has erased its memory; default true. A page entering the
   * back/forward cache must not wait, because an answer arriving there would evict it. A dedicated worker is then ended
   * without erasing.
   */
  readonly wait?: boolean
}

/**
 * What to check invocations against. CIDs are text; a token's text is a container in any encoding, or a bare envelope.
 */
export type ValidationChecks = Omit<EnclaveInput<'validate_invocation'>, 'invocation'>

/**
 * Where a plugin runs: our shared or dedicated worker, our Node thread, Extism's own worker, or the caller's thread.
 */
export type EnclaveKind = 'shared-worker' | 'worker' | 'worker-thread' | 'extism-worker' | 'in-process'

/** Options of one call. */
export interface CallOptions {
  /** Milliseconds; default: the enclave's. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/**
 * What happened to an instance. `changed`: another client made this call (or this client did, and had stopped waiting);
 * `restarted`: its worker was restarted, and has no vault.
 */
export type EnclaveChange =
  | { readonly kind: 'changed'; readonly call: AnyExport }
  | { readonly kind: 'restarted' }

/** The nine codes of the key-vault layer. */
export type VaultErrorCode = PluginRefusal['code'] | 'WASM_NOT_LOADED' | 'TIMEOUT'

/**
 * A function's answer if it refuses. `name` is the refusal's name; for a token, the UCAN rule it broke. `cid`: which
 * token.
 */
export interface Refusal<Name extends RefusalName | DeviceRefusalName = RefusalName | DeviceRefusalName>
  extends Omit<PluginRefusal, 'code' | 'name'> {
  readonly code: VaultErrorCode
  readonly name: Name
}
