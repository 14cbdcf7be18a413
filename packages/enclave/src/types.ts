import type { EnclaveContract, Refusal as PluginRefusal, REFUSALS, REFUSES, RefusalName } from './contract.ts'

/** Every function of the plugin. */
export type EnclaveExport = keyof EnclaveContract

/** What a function takes. */
export type EnclaveInput<Name extends EnclaveExport> = EnclaveContract[Name]['input']

/** What a function answers where it does not refuse. */
export type EnclaveAnswer<Name extends EnclaveExport> = EnclaveContract[Name]['answer']

/** The names by which a function may refuse. */
export type EnclaveRefusalName<Name extends EnclaveExport> =
  (typeof REFUSALS)[(typeof REFUSES)[Name][number]][number]

/** What `call` takes behind the name: the input may be left out where it has no field that has to be there. */
export type CallArguments<Name extends EnclaveExport> =
  Record<never, never> extends EnclaveInput<Name>
    ? [input?: EnclaveInput<Name>, options?: CallOptions]
    : [input: EnclaveInput<Name>, options?: CallOptions]

/**
 * Where the plugin's bytes come from: a URL, the package CDN by version (default `latest`), or bytes at hand.
 *
 * `sha256` is 64 hexadecimal digits. Without it the bytes must be this package's own build; for a URL on another origin
 * than the page's it is required.
 */
export type WasmSource =
  | { readonly url: string | URL; readonly sha256?: string }
  | { readonly bytes: Uint8Array; readonly sha256?: string }
  | { readonly version?: string; readonly sha256?: string }

/** How an enclave is started. Every field has a default. */
export interface EnclaveOptions {
  /** Default: the asset that comes with this package. */
  readonly source?: WasmSource
  /**
   * Runs the plugin in this thread, of this package's `enclave.wasm` compiled already: for where there is no Worker. `source`,
   * `workers` and `account` have no meaning then, and `allowedHosts` is refused.
   */
  readonly module?: WebAssembly.Module
  /** Browser: which vault of the shared worker. Tabs that name the same one share it. Default: one of its own. */
  readonly account?: string
  /** For what needs no secret: a Worker of its own, ended and started anew when a call hangs. */
  readonly keyless?: boolean
  /** Milliseconds a call may take, the wait for calls before it included. Default 30,000. */
  readonly timeout?: number
  /** Milliseconds that loading the plugin, and starting its worker, may each take. Default 30,000. */
  readonly loadTimeout?: number
  /** Ends the start; `createEnclave` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Host names that the plugin may ask over HTTP. Default none. An enclave with any is keyless. */
  readonly allowedHosts?: readonly string[]
  /** Browser: where `@keyhole/enclave/shared-worker` and `/dedicated-worker` are served. Default: beside this package's own files. */
  readonly workers?: { readonly shared?: string | URL; readonly dedicated?: string | URL }
  /** Browser: what a worker's URL passes through before it is used, for a Trusted Types policy. */
  readonly scriptUrl?: (url: string) => string
}

/** One plugin instance: in a worker, or in process. */
export interface Enclave {
  /** The account named at the start, or by `adopt`. */
  readonly account: string | undefined
  /** Where the plugin runs. */
  readonly kind: EnclaveKind
  /**
   * Calls a function of the plugin. Many may be in flight; they run in the order in which they were made, but for
   * `lock_vault`, which runs before all that have not begun, with the calls that were made in one go ahead of it. What it
   * overtakes is answered VAULT_LOCKED where it needs the keys, and so are an `unlock_vault` that was made before it and a call
   * that was deriving a key, which is given up.
   *
   * @param input what the function takes; `bigint` is written as digits. Default: empty
   * @returns the function's answer, or its refusal. Integers past 2^53 are `bigint`.
   * @throws EnclaveError TIMEOUT after `timeout` ms; OPERATION_FAILED where the worker is gone or the plugin trapped.
   * The signal's reason, where the caller aborts: the call may have taken effect all the same.
   */
  call<Name extends EnclaveExport>(
    name: Name,
    ...given: CallArguments<Name>
  ): Promise<EnclaveAnswer<Name> | Refusal<EnclaveRefusalName<Name>>>
  /** As `call`, for a function whose name is only known when the program runs. `undefined` where it gave no output. */
  callByName(name: EnclaveExport, input?: unknown, options?: CallOptions): Promise<unknown>
  /**
   * Names this instance by the address of the account just created or imported in it, so that other tabs find it.
   *
   * @throws EnclaveError OPERATION_FAILED where the account is open elsewhere
   */
  adopt(account: string): Promise<void>
  /** Hears of every change to this instance that was not made by a call of this client's. @returns the unsubscribe */
  subscribe(listener: (change: EnclaveChange) => void): () => void
  /** Ends this client. The instance is wiped when its last client has gone; calls still in flight reject. */
  close(options?: CloseOptions): Promise<void>
}

/** How an enclave is closed. */
export interface CloseOptions {
  /**
   * Whether to wait until the worker has wiped itself, for a second at most; default true. A page that the browser puts
   * away whole does not: an answer that reaches it there ends it. A worker of its own is ended then, unwiped.
   */
  readonly wait?: boolean
}

/** What invocations are checked against. CIDs are text; a token's text is a container in any encoding, or a bare envelope. */
export type ValidationChecks = Omit<EnclaveInput<'validate_invocation'>, 'invocation'>

/** Where a plugin runs: our shared or dedicated worker, our Node thread, Extism's own worker, or the caller's thread. */
export type EnclaveKind = 'shared-worker' | 'worker' | 'worker-thread' | 'extism-worker' | 'in-process'

/** Options of one call. */
export interface CallOptions {
  /** Milliseconds; default: the enclave's. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/**
 * What happened to an instance. `changed`: another client made this call (or this client did, after it gave up waiting);
 * `restarted`: its worker was started anew, and holds no vault.
 */
export type EnclaveChange =
  | { readonly kind: 'changed'; readonly call: EnclaveExport }
  | { readonly kind: 'restarted' }

/** The nine codes of the key-vault layer. */
export type VaultErrorCode = PluginRefusal['code'] | 'WASM_NOT_LOADED' | 'TIMEOUT'

/** What a function answers instead of a result. `name` is what was refused: of a token, the rule of UCAN that it broke. `cid`: which token. */
export interface Refusal<Name extends RefusalName = RefusalName>
  extends Omit<PluginRefusal, 'code' | 'name'> {
  readonly code: VaultErrorCode
  readonly name: Name
}
