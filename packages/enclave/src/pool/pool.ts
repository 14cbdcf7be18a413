import type { ValidationResult } from '../contract.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import type { EnclaveInput, EnclaveOptions } from '../types.ts'
import type { WorkerPlan } from '../worker/connection.ts'
import type { BatchInput, BatchProgress } from './pool-batch.ts'

export type { BatchInput, BatchProgress }

/** How a pool is started: as a keyless enclave, of which it has several. `timeout` is a chunk's. */
export interface PoolOptions extends Omit<EnclaveOptions, 'account' | 'keyless'> {
  /** How many workers. Default: one a core. */
  readonly size?: number
}

/** Options of one batch. */
export interface BatchOptions {
  /** Ends the batch, and the workers that are at it. The pool can be used after that. */
  readonly signal?: AbortSignal
  /** Hears how many invocations are done, after each chunk of them. What it throws ends the batch. */
  readonly onProgress?: (progress: BatchProgress) => void
}

/** Enclaves without keys, side by side. */
export interface Pool {
  /** How many workers it has. */
  readonly size: number
  /**
   * Validates invocations on every worker, as one call of `validate_batch` would: the results are in the order of the
   * invocations, of two with one CID the later one is `Replayed`, and all are checked at one moment. An invocation that
   * does not hold is a result; `TooMuchWork` is one only of what takes too much in a call of its own. Batches may overlap.
   *
   * @throws EnclaveError OPERATION_FAILED where the plugin refuses the input (its code, and where it is about a token
   * `name` and `cid`, in `details`), two workers ended over one chunk, no worker can be started, or the pool is closed;
   * TIMEOUT where a chunk takes longer than `timeout` ms. The signal's reason, where the caller aborts. Nothing is
   * known of any invocation then.
   */
  validateBatch(input: BatchInput, options?: BatchOptions): Promise<readonly ValidationResult[]>
  /**
   * Validates one invocation, as `validate_invocation` would. Those of one turn of the event loop that are checked against the same go
   * to the workers together, which costs much less; each has the answer that it would have alone.
   *
   * @throws as `validateBatch`, for this invocation alone
   */
  validate(
    input: EnclaveInput<'validate_invocation'>,
    options?: Pick<BatchOptions, 'signal'>,
  ): Promise<ValidationResult>
  /** Ends every worker; batches still at work reject. */
  close(): Promise<void>
}

/** What a pool is made of. */
export interface PoolParts {
  readonly plan: WorkerPlan
  readonly wasm: Promise<VerifiedWasm>
  readonly allowedHosts: readonly string[]
  /** Milliseconds that a chunk may take. */
  readonly patience: number
  /** Milliseconds that a worker may take to be ready. */
  readonly timeout: number
  readonly size: number
  readonly signal: AbortSignal | undefined
}
