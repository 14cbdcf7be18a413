import { declaredOf, isChange } from '../declared.ts'
import { EnclaveError } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { holdOwnLock, type OwnLock } from '../locks.ts'
import { TypedCalls } from '../typed-calls.ts'
import type {
  CallOptions,
  CloseOptions,
  Enclave,
  EnclaveChange,
  EnclaveExport,
  EnclaveKind,
} from '../types.ts'
import type { Connection, WorkerPlan } from './connection.ts'
import { Outbox } from './outbox.ts'
import { PendingCalls } from './pending-calls.ts'
import type { AnswerMessage, WorkerMessage } from './protocol.ts'
import { startWorker } from './start-worker.ts'

/** Milliseconds that a worker may take to wipe itself when it is closed. */
const CLOSING_TIME = 1_000

const encoder = new TextEncoder()

/** What an enclave in a worker is made of. */
export interface RemoteOptions {
  readonly plan: WorkerPlan
  /** Kept, so that a deploy in between cannot break a restart. */
  readonly wasm: Promise<VerifiedWasm>
  readonly account: string | undefined
  readonly allowedHosts: readonly string[]
  /** Milliseconds a call may take. */
  readonly timeout: number
  /** Milliseconds the worker may take to be ready. */
  readonly startTimeout: number
}

/** An enclave in a worker, reached over a port. */
export class Remote extends TypedCalls implements Enclave {
  readonly kind: EnclaveKind
  readonly #options: RemoteOptions
  readonly #pending: PendingCalls
  readonly #outbox = new Outbox()
  readonly #listeners = new Set<(change: EnclaveChange) => void>()
  #account: string | undefined
  #lock: OwnLock | undefined
  #connection: Connection | undefined
  #starting = false
  #closed = false
  #whenWiped: (() => void) | undefined

  constructor(options: RemoteOptions) {
    super()
    this.kind = options.plan.kind
    this.#options = options
    this.#account = options.account
    this.#pending = new PendingCalls({
      busy: (awaited) => this.#connection?.busy(awaited),
      hangs: (why) => this.#hangs(why),
      dropped: (id) => this.#connection?.port.post({ type: 'drop', id }),
    })
  }

  get account(): string | undefined {
    return this.#account
  }

  /** Starts the worker. @throws EnclaveError WASM_NOT_LOADED, TIMEOUT, OPERATION_FAILED; the signal's reason */
  async start(signal?: AbortSignal): Promise<void> {
    this.#lock ??= await holdOwnLock(this.#options.plan.locks, 'client')
    await this.#connect(signal)
  }

  async callByName(name: EnclaveExport, input?: unknown, options: CallOptions = {}): Promise<unknown> {
    options.signal?.throwIfAborted()
    const text = stringifyJson(input)
    const sent = declaredOf(name).holdsSecrets ? encoder.encode(text) : text
    const output = await this.#send(options, name, sent)
    return output === undefined ? undefined : parseJson(output)
  }

  async adopt(account: string): Promise<void> {
    await new Promise((resolve, reject) => {
      const { timeout } = this.#options
      const id = this.#pending.add(
        { name: 'adopt', input: undefined, timeout, signal: undefined },
        resolve,
        reject,
      )
      if (this.#connection) this.#connection.port.post({ type: 'adopt', id, account })
      else this.#pending.take(id)?.reject(stopped())
    })
    this.#account = account
  }

  subscribe(listener: (change: EnclaveChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close({ wait = true }: CloseOptions = {}): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const connection = this.#connection
    this.#connection = undefined
    this.#outbox.close()
    this.#listeners.clear()
    this.#pending.clear(stopped())
    if (connection && !this.#options.plan.stateless) {
      connection.port.post({ type: 'close' })
      if (wait) await this.#wiped(connection)
    }
    connection?.terminate()
    this.#lock?.release()
  }

  async #wiped(connection: Connection): Promise<void> {
    connection.busy(true)
    await new Promise<void>((resolve) => {
      const enough = setTimeout(resolve, CLOSING_TIME)
      this.#whenWiped = () => {
        clearTimeout(enough)
        resolve()
      }
    })
  }

  #send(options: CallOptions, name: string, input: string | Uint8Array<ArrayBuffer>) {
    return new Promise<string | undefined>((resolve, reject) => {
      if (this.#closed) return reject(stopped())
      // What is a secret is not kept to be sent once more.
      const again = typeof input === 'string' ? input : undefined
      const { timeout = this.#options.timeout, signal } = options
      const id = this.#pending.add({ name, input: again, timeout, signal }, resolve, reject)
      this.#outbox.add([id, name, input])
      if (!this.#connection && !this.#starting) this.#restart()
    })
  }

  async #connect(signal?: AbortSignal): Promise<void> {
    this.#starting = true
    try {
      const connection = await startWorker({
        plan: this.#options.plan,
        wasm: this.#options.wasm,
        account: this.#account,
        allowedHosts: this.#options.allowedHosts,
        lock: this.#lock?.name,
        timeout: this.#options.startTimeout,
        signal,
        receive: (message) => this.#receive(message),
        gone: (lost, reason) => this.#gone(lost, reason),
      })
      if (this.#closed) return connection.terminate()
      this.#connection = connection
      connection.busy(this.#pending.size > 0)
      this.#outbox.open(connection.port)
    } finally {
      this.#starting = false
    }
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'answers') for (const answer of message.answers) this.#answered(answer)
    else if (message.type === 'change') this.#tell(message.change)
    else if (message.type === 'closed') this.#whenWiped?.()
  }

  #answered([id, output, failure]: AnswerMessage): void {
    const call = this.#pending.take(id)
    if (!call) return
    if (call.abandoned) {
      // Its caller knows nothing of what it did after all.
      if (failure === undefined && isChange(call.name)) this.#tell({ kind: 'changed', call: call.name })
    } else if (failure === undefined) call.resolve(output)
    else call.reject(new EnclaveError('OPERATION_FAILED', failure, { name: call.name }))
  }

  /** The worker is at a call that its caller has given up. */
  #hangs(why: 'timeout' | 'abort'): void {
    const { restarts, stateless } = this.#options.plan
    const connection = this.#connection
    if (!connection || !restarts || (why === 'abort' && !stateless)) return
    connection.terminate()
    this.#gone(connection, 'it hung and was ended')
  }

  #gone(lost: Connection, reason: string): void {
    if (lost !== this.#connection) return
    this.#connection = undefined
    lost.terminate()
    this.#outbox.close()
    const { stateless } = this.#options.plan
    const failure = new EnclaveError('OPERATION_FAILED', `The enclave's worker is gone: ${reason}.`)
    for (const call of this.#pending.clear(failure, () => stateless)) this.#outbox.add(call)
    this.#restart()
  }

  #restart(): void {
    this.#connect().then(
      () => {
        if (!this.#options.plan.stateless) this.#tell({ kind: 'restarted' })
      },
      (error: unknown) => {
        this.#outbox.close()
        this.#pending.clear(error instanceof EnclaveError ? error : stopped())
      },
    )
  }

  #tell(change: EnclaveChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

function stopped(): EnclaveError {
  return new EnclaveError('OPERATION_FAILED', 'The enclave is closed.')
}
