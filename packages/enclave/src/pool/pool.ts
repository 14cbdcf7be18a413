import type { ValidationResult } from '../generated/contract.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import type { EnclaveInput, EnclaveOptions } from '../types.ts'
import type { WorkerPlan } from '../worker/connection.ts'
import type { BatchInput, BatchProgress } from './pool-batch.ts'

export type { BatchInput, BatchProgress }

/** How to start a pool: like a keyless enclave, several times. `timeout` applies to each chunk. */
export interface PoolOptions extends Omit<EnclaveOptions, 'account' | 'keyless'> {
  /** How many workers. Default: one per core. */
  readonly size?: number
}

/** Options of one batch. */
export interface BatchOptions {
  /** Aborts the batch, and ends the workers processing it. The pool stays usable. */
  readonly signal?: AbortSignal
  /** Called after each chunk with how many invocations are done. If it throws, the batch ends with that error. */
  readonly onProgress?: (progress: BatchProgress) => void
}

/** Several enclaves without keys. */
export interface Pool {
  /** How many workers it has. */
  readonly size: number
  /**
   * Validates invocations on all workers, with the results of a single call of `validate_batch`: in the order of the
   * invocations, all checked at the same time, and if two have the same CID, the later one is `Replayed`. An invalid
   * invocation is a result. `TooMuchWork` is only the result for one that takes too much work alone. Batches may
   * overlap.
   * @throws EnclaveError OPERATION_FAILED if the plugin refuses the input (its code, and for a token `name` and `cid`,
   *   in `details`), two workers ended on the same chunk, no worker can be started, or the pool is closed; TIMEOUT if a
   *   chunk takes longer than `timeout` ms. The signal's reason if the caller aborts. There are no results then.
   */
  validateBatch(input: BatchInput, options?: BatchOptions): Promise<readonly ValidationResult[]>
  /**
   * Validates one invocation, like `validate_invocation`. Invocations from the same turn of the event loop with the
   * same checks go to the workers together, which costs much less. Each gets the same result as alone.
   * @throws as `validateBatch`, for this invocation alone
   */
  validate(
    input: EnclaveInput<'validate_invocation'>,
    options?: Pick<BatchOptions, 'signal'>,
  ): Promise<ValidationResult>
  /** Ends every worker; unfinished batches reject. */
  close(): Promise<void>
}

/** What a pool is made of. */
export interface PoolParts {
  readonly plan: WorkerPlan
  readonly wasm: Promise<VerifiedWasm>
  readonly allowedHosts: readonly string[]
  /** How long a chunk may take, in milliseconds. */
  readonly patience: number
  /** How long a worker may take to start, in milliseconds. */
  readonly timeout: number
  readonly size: number
  readonly signal: AbortSignal | undefined
}
