import { type Asked, inputOfOne, partsOf } from '../batches/gather.ts'
import { declaredOf, isChange } from '../declared.ts'
import { EnclaveError } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { VerifiedWasm } from '../loading/digest.ts'
import { holdOwnLock, type OwnLock } from '../locks.ts'
import { TypedCalls } from '../typed-calls.ts'
import type { AnyExport, CallOptions, CloseOptions, Enclave, EnclaveChange, EnclaveKind } from '../types.ts'
import type { Connection, WorkerPlan } from './connection.ts'
import { Outbox } from './outbox.ts'
import { type PendingCall, PendingCalls } from './pending-calls.ts'
import type { AnswerMessage, CallMessage, WorkerMessage } from './protocol.ts'
import { startWorker } from './start-worker.ts'
import type { Turn } from './turn.ts'

/** How long a worker may take to erase its memory when it is closed, in milliseconds. */
const CLOSING_TIME = 1_000

const encoder = new TextEncoder()

/** The parts of an enclave in a worker. */
export interface RemoteOptions {
  readonly plan: WorkerPlan
  /** Kept, so that a deployment in the meantime can't break a restart. */
  readonly wasm: Promise<VerifiedWasm>
  readonly account: string | undefined
  readonly allowedHosts: readonly string[]
  /** How long a call may take, in milliseconds. */
  readonly timeout: number
  /** How long the worker may take to start, in milliseconds. */
  readonly startTimeout: number
}

/** An enclave in a worker, reached over a port. */
export class Remote extends TypedCalls implements Enclave {
  readonly kind: EnclaveKind
  readonly #options: RemoteOptions
  readonly #pending: PendingCalls
  readonly #outbox = new Outbox()
  #turn: Turn | undefined
  /** Calls made while the code that groups them was loading. */
  #early: (Asked & { readonly id: number })[] = []
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
      hangs: (id, why) => this.#hangs(id, why),
      isTogether: (one, other) => this.#turn?.isTogether(one, other) ?? one === other,
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

  /** Not `async`: most services call this for each request, and each function that waits costs as much as a look-up. */
  callByName(name: AnyExport, input?: unknown, options: CallOptions = {}): Promise<unknown> {
    try {
      options.signal?.throwIfAborted()
      const asked = name === 'validate_invocation' ? partsOf(input) : undefined
      if (asked) return this.#validate(asked, options)
      return name === 'validate_batch' ? this.#batch(input, options) : this.#ask(options, name, input)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #validate(asked: Asked, options: CallOptions): Promise<unknown> {
    return this.#send(
      options,
      'validate_invocation',
      () => inputOfOne(asked),
      (id) => this.#add(id, asked),
    )
  }

  async #batch(input: unknown, options: CallOptions): Promise<unknown> {
    const name = 'validate_batch'
    const answer = await this.#ask(options, name, input)
    const { completed } = await import('../batches/completed.ts')
    return await completed(input, answer, options.timeout ?? this.#options.timeout, (part, timeout) =>
      this.#ask({ ...options, timeout }, name, part),
    )
  }

  /** The code that groups calls is loaded with the first one, because most pages validate nothing. */
  #add(id: number, asked: Asked): void {
    if (this.#turn) {
      this.#turn.add(id, asked)
      return
    }
    if (this.#early.push({ id, ...asked }) > 1) return
    import('./turn.ts').then(
      ({ Turn }) => {
        this.#turn ??= new Turn({
          awaits: (waiting) => this.#pending.has(waiting),
          send: (call) => this.#outbox.add(call),
          answered: (done, answer) => this.#settle(done, (call) => call.resolve(answer)),
        })
        for (const early of this.#early.splice(0)) this.#turn.add(early.id, early)
      },
      () => {
        // Without it, each is validated alone.
        for (const early of this.#early.splice(0)) {
          this.#outbox.add([early.id, 'validate_invocation', inputOfOne(early)])
        }
      },
    )
  }

  #ask(options: CallOptions, name: AnyExport, input: unknown): Promise<unknown> {
    const text = stringifyJson(input)
    // A secret isn't kept for sending again.
    if (declaredOf(name).holdsSecrets) {
      const bytes = encoder.encode(text)
      return this.#send(options, name, undefined, (id) => this.#outbox.add([id, name, bytes]))
    }
    return this.#send(
      options,
      name,
      () => text,
      (id) => this.#outbox.add([id, name, text]),
    )
  }

  async adopt(account: string): Promise<void> {
    await new Promise((resolve, reject) => {
      const { timeout } = this.#options
      const id = this.#pending.add(
        { name: 'adopt', again: undefined, timeout, signal: undefined },
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

  #send(
    { timeout = this.#options.timeout, signal }: CallOptions,
    name: string,
    again: (() => CallMessage[2]) | undefined,
    post: (id: number) => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(stopped())
      post(this.#pending.add({ name, again, timeout, signal }, resolve, reject))
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

  #answered(answer: AnswerMessage): void {
    if (this.#turn?.take(answer)) return
    const [id, output, failure] = answer
    this.#settle(id, (call) => {
      if (failure !== undefined) throw new EnclaveError('OPERATION_FAILED', failure, { name: call.name })
      call.resolve(output === undefined ? undefined : parseJson(output))
    })
  }

  /** Stops waiting for a call, which rejects with what `settle` throws. */
  #settle(id: number, settle: (call: PendingCall) => void): void {
    const call = this.#pending.take(id)
    if (!call) return
    try {
      settle(call)
      // Its caller stopped waiting, so announce what it did.
      if (call.abandoned && isChange(call.name)) this.#tell({ kind: 'changed', call: call.name })
    } catch (error) {
      call.reject(error)
    }
  }

  /** The worker is running a call whose caller has stopped waiting. */
  #hangs(id: number, why: 'timeout' | 'abort'): void {
    const { restarts, stateless } = this.#options.plan
    const connection = this.#connection
    if (!connection || !restarts || (why === 'abort' && !stateless) || this.#turn?.isAwaited(id)) return
    connection.terminate()
    this.#gone(connection, 'it hung and was ended')
  }

  #gone(lost: Connection, reason: string): void {
    if (lost !== this.#connection) return
    this.#connection = undefined
    lost.terminate()
    this.#outbox.close()
    this.#turn?.clear()
    this.#early = []
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
