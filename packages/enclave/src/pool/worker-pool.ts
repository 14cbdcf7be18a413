import { partsOf } from '../batches/gather.ts'
import { EnclaveError } from '../errors.ts'
import type { ValidationResult } from '../generated/contract.ts'
import { holdOwnLock } from '../locks.ts'
import type { EnclaveInput } from '../types.ts'
import type { BatchInput, BatchOptions, Pool, PoolParts } from './pool.ts'
import { Batch, type Chunk } from './pool-batch.ts'
import { PoolTurn } from './pool-turn.ts'
import { PoolWorker, type PoolWorkerOptions, type PoolWorkerOwner } from './pool-worker.ts'

/** How many workers may end on a chunk before the chunk counts as the cause. */
const LOSSES = 2

/** Starts a pool from its parts. @throws as `createPool` */
export async function startPool({ size, signal, ...parts }: PoolParts): Promise<Pool> {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new EnclaveError('OPERATION_FAILED', `A pool has one worker or more: its size cannot be ${size}.`)
  }
  const lock = await holdOwnLock(parts.plan.locks, 'client')
  const pool = new WorkerPool({ ...parts, lock: lock?.name }, size, () => lock?.release())
  try {
    await pool.start(signal)
  } catch (error) {
    await pool.close()
    throw error
  }
  return pool
}

class WorkerPool implements Pool, PoolWorkerOwner {
  readonly size: number
  readonly #options: Omit<PoolWorkerOptions, 'signal'>
  readonly #release: () => void
  readonly #workers = new Set<PoolWorker>()
  readonly #batches = new Set<Batch>()
  /** Aborts workers that are still starting. */
  readonly #ending = new AbortController()
  readonly #turn = new PoolTurn((input, signal) => this.#validateApart(input, signal))
  #queue: Chunk[] = []
  #starting = 0

  constructor(options: Omit<PoolWorkerOptions, 'signal'>, size: number, release: () => void) {
    this.#options = options
    this.size = size
    this.#release = release
  }

  async start(signal?: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.size }, () => this.#startWorker(signal)))
  }

  async validateBatch(
    input: BatchInput,
    { signal, onProgress }: BatchOptions = {},
  ): Promise<readonly ValidationResult[]> {
    signal?.throwIfAborted()
    if (this.#ending.signal.aborted) throw closed()
    if (input.invocations.length === 0) return []
    return this.#run(new Batch(input, this.size, { onProgress }), signal)
  }

  async validate(
    input: EnclaveInput<'validate_invocation'>,
    { signal }: Pick<BatchOptions, 'signal'> = {},
  ): Promise<ValidationResult> {
    signal?.throwIfAborted()
    if (this.#ending.signal.aborted) throw closed()
    const asked = partsOf(input)
    if (asked) return this.#turn.add(asked, signal)
    const { invocation, ...checks } = input
    const [result] = await this.#validateApart({ invocations: [invocation], ...checks }, signal)
    if (result) return result
    throw new EnclaveError('OPERATION_FAILED', 'The enclave gave no result for the invocation.')
  }

  async #validateApart(
    input: BatchInput,
    signal: AbortSignal | undefined,
  ): Promise<readonly ValidationResult[]> {
    if (this.#ending.signal.aborted) throw closed()
    return this.#run(new Batch(input, this.size, { isApart: true }), signal)
  }

  async #run(batch: Batch, signal: AbortSignal | undefined): Promise<readonly ValidationResult[]> {
    const abort = () => this.#abort(batch, signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    this.#batches.add(batch)
    try {
      this.#queue.push(...batch.chunks)
      this.#feed()
      return await batch.results
    } finally {
      this.#batches.delete(batch)
      signal?.removeEventListener('abort', abort)
    }
  }

  async close(): Promise<void> {
    if (this.#ending.signal.aborted) return
    const reason = closed()
    this.#ending.abort(reason)
    for (const batch of this.#batches) batch.fail(reason)
    for (const worker of this.#workers) worker.end()
    this.#workers.clear()
    this.#queue = []
    this.#release()
  }

  answered(chunk: Chunk, output: string | undefined, failure: string | undefined): void {
    const { batch } = chunk
    if (failure === undefined) this.#queue.unshift(...batch.take(chunk, output))
    else batch.fail(new EnclaveError('OPERATION_FAILED', failure, { name: 'validate_batch' }))
    this.#feed()
  }

  lost(worker: PoolWorker, why: EnclaveError, chunks: readonly Chunk[]): void {
    this.#workers.delete(worker)
    const [first] = chunks
    if (first) {
      first.losses += 1
      if (why.code === 'TIMEOUT' || first.losses === LOSSES) first.batch.fail(why)
    }
    this.#queue.unshift(...chunks)
    this.#feed()
  }

  /** Ends the workers processing a batch; their chunks of other batches go to other workers. */
  #abort(batch: Batch, reason: unknown): void {
    batch.fail(reason)
    for (const worker of [...this.#workers]) {
      if (!worker.wasted) continue
      this.#workers.delete(worker)
      this.#queue.unshift(...worker.end())
    }
    this.#feed()
  }

  /** Hands out waiting chunks, to the idlest worker first, and replaces workers that have ended. */
  #feed(): void {
    this.#queue = this.#queue.filter(({ batch }) => !batch.settled)
    while (this.#queue.length > 0) {
      const [worker] = [...this.#workers].sort((one, other) => other.free - one.free)
      if (!worker || worker.free === 0) break
      const chunk = this.#queue.shift()
      if (chunk) worker.send(chunk)
    }
    const missing = this.size - this.#workers.size - this.#starting
    for (let count = Math.min(missing, this.#queue.length); count > 0; count -= 1) this.#replace()
  }

  #replace(): void {
    this.#startWorker().then(
      () => this.#feed(),
      (error: unknown) => {
        // If any other worker remains, continue with fewer.
        if (this.#workers.size > 0 || this.#starting > 0) return
        for (const batch of this.#batches) batch.fail(error)
      },
    )
  }

  async #startWorker(signal?: AbortSignal): Promise<void> {
    const ending = this.#ending.signal
    this.#starting += 1
    try {
      const either = signal ? AbortSignal.any([signal, ending]) : ending
      const worker = await PoolWorker.start({ ...this.#options, signal: either }, this)
      if (ending.aborted) worker.end()
      else this.#workers.add(worker)
    } finally {
      this.#starting -= 1
    }
  }
}

function closed(): EnclaveError {
  return new EnclaveError('OPERATION_FAILED', 'The pool is closed.')
}
