import { EnclaveError } from '../errors.ts'
import type { Connection } from '../worker/connection.ts'
import type { WorkerMessage } from '../worker/protocol.ts'
import { type StartOptions, startWorker } from '../worker/start-worker.ts'
import type { Chunk } from './pool-batch.ts'

/** Chunks per worker: while it processes one, the next is waiting. */
const IN_FLIGHT = 2

/** How to start a pool's worker. */
export interface PoolWorkerOptions extends Omit<StartOptions, 'account' | 'receive' | 'gone'> {
  /** How long a chunk may take, in milliseconds. */
  readonly patience: number
}

/** Gets told about a worker's chunks. */
export interface PoolWorkerOwner {
  /** A chunk was answered. `failure`: why there is no output. */
  answered(chunk: Chunk, output: string | undefined, failure: string | undefined): void
  /** The worker has ended. `chunks` are those without an answer, starting with the one in progress. */
  lost(worker: PoolWorker, why: EnclaveError, chunks: readonly Chunk[]): void
}

/** A keyless worker that validates one chunk after another. */
export class PoolWorker {
  readonly #owner: PoolWorkerOwner
  readonly #patience: number
  readonly #chunks = new Map<number, Chunk>()
  #connection: Connection | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = 0

  private constructor(owner: PoolWorkerOwner, patience: number) {
    this.#owner = owner
    this.#patience = patience
  }

  /** Starts a worker. @throws EnclaveError as the plugin or the worker fails; TIMEOUT; the signal's reason */
  static async start(options: PoolWorkerOptions, owner: PoolWorkerOwner): Promise<PoolWorker> {
    const worker = new PoolWorker(owner, options.patience)
    worker.#connection = await startWorker({
      ...options,
      account: undefined,
      receive: (message) => worker.#receive(message),
      gone: (_, reason) => worker.#lost(gone(reason)),
    })
    worker.#connection.busy(false)
    return worker
  }

  /** How many more chunks it accepts now. */
  get free(): number {
    return IN_FLIGHT - this.#chunks.size
  }

  /** Whether it has a chunk whose result is no longer needed. */
  get wasted(): boolean {
    return [...this.#chunks.values()].some(({ batch }) => batch.settled)
  }

  /** Gives it a chunk. */
  send(chunk: Chunk): void {
    this.#last += 1
    this.#chunks.set(this.#last, chunk)
    if (this.#chunks.size === 1) {
      this.#connection?.busy(true)
      this.#watch()
    }
    const input = chunk.batch.inputOf(chunk)
    this.#connection?.port.post({ type: 'calls', calls: [[this.#last, 'validate_batch', input]] })
  }

  /** Ends it, whatever it is doing. @returns the chunks without an answer */
  end(): readonly Chunk[] {
    const chunks = [...this.#chunks.values()]
    this.#chunks.clear()
    clearTimeout(this.#timer)
    this.#connection?.terminate()
    this.#connection = undefined
    return chunks
  }

  #receive(message: WorkerMessage): void {
    if (message.type !== 'answers') return
    for (const [id, output, failure] of message.answers) {
      const chunk = this.#chunks.get(id)
      if (!chunk) continue
      this.#chunks.delete(id)
      this.#watch()
      if (this.#chunks.size === 0) this.#connection?.busy(false)
      this.#owner.answered(chunk, output, failure)
    }
  }

  /** Restarts the time limit for the current chunk. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#chunks.size > 0)
      this.#timer = setTimeout(() => this.#lost(hung(this.#patience)), this.#patience)
  }

  #lost(why: EnclaveError): void {
    if (this.#connection) this.#owner.lost(this, why, this.end())
  }
}

function gone(reason: string): EnclaveError {
  return new EnclaveError('OPERATION_FAILED', `A worker of the pool is gone: ${reason}.`)
}

function hung(timeout: number): EnclaveError {
  return new EnclaveError('TIMEOUT', `The enclave did not answer validate_batch within ${timeout} ms.`, {
    name: 'validate_batch',
    timeout,
  })
}
