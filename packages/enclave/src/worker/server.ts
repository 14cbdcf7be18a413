import { declaredOf } from '../declared.ts'
import { EnclaveError, reasonOf } from '../errors.ts'
import { holdOwnLock, whenReleased } from '../locks.ts'
import type { Answer, Listener } from '../plugin/instance.ts'
import type { Instances, Seat } from '../plugin/instances.ts'
import { letMessagesIn } from '../plugin/turns.ts'
import type { Refusal } from '../types.ts'
import type { AnswerMessage, CallMessage, ClientMessage, WorkerPort } from './protocol.ts'

/**
 * How long answers are collected into one message, in milliseconds, so that a slow call doesn't hold back earlier
 * answers. After each message, others get in: calls from other tabs, and notices that a call is no longer needed.
 */
const ANSWERS_TOGETHER = 4

const NOT_MADE: Answer = { output: undefined, failure: 'The call was not made any more.' }

/** What serving needs from its worker. */
export interface ServerOptions {
  readonly instances: Instances
  /**
   * Web Locks, which tell each side whether the other is alive. Undefined in Node, where the end of a thread is an
   * event.
   */
  readonly locks?: LockManager | undefined
  /** The plugin runs in Extism's own worker and is recycled, so calls that concern a vault are refused. */
  readonly vaultless?: boolean
}

/** Serves one client over a port, until it closes or is gone. */
export function serve(port: WorkerPort, options: ServerOptions): void {
  const session = new Session(port, options)
  port.listen((message) => session.receive(message))
}

class Session implements Listener {
  readonly #port: WorkerPort
  readonly #options: ServerOptions
  readonly #ended = new AbortController()
  readonly #waiting = new Set<number>()
  #seat: Promise<Seat | undefined> | undefined

  constructor(port: WorkerPort, options: ServerOptions) {
    this.#port = port
    this.#options = options
  }

  receive(message: ClientMessage): void {
    switch (message.type) {
      case 'open':
        this.#seat ??= this.#open(message)
        return
      case 'calls':
        for (const [id] of message.calls) this.#waiting.add(id)
        void this.#calls(message.calls)
        return
      case 'drop':
        this.#waiting.delete(message.id)
        return
      case 'adopt':
        void this.#adopt(message.id, message.account)
        return
      case 'close':
        void this.#end().then(() => this.#port.post({ type: 'closed' }))
    }
  }

  notify(change: Parameters<Listener['notify']>[0]): void {
    this.#port.post({ type: 'change', change })
  }

  async #open(message: ClientMessage & { type: 'open' }): Promise<Seat | undefined> {
    const { instances, locks, vaultless = false } = this.#options
    try {
      const plugin = { allowedHosts: message.allowedHosts, worker: vaultless }
      const seat = await instances.seat(this, message.account, message.wasm, plugin)
      const own = await holdOwnLock(locks, 'worker')
      if (locks && message.lock !== undefined) {
        void whenReleased(locks, message.lock, this.#ended.signal).then(() => this.#end())
      }
      this.#port.post({ type: 'ready', lock: own?.name })
      return seat
    } catch (error) {
      const code = error instanceof EnclaveError ? error.code : 'WASM_NOT_LOADED'
      this.#port.post({ type: 'failed', code, message: reasonOf(error) })
      return undefined
    }
  }

  async #calls(calls: readonly CallMessage[]): Promise<void> {
    const seat = await this.#seat
    if (!seat || this.#ended.signal.aborted) {
      const failure = 'The enclave is not running.'
      this.#answer(calls.map(([id]) => [id, undefined, failure]))
      return
    }
    const { locks } = seat.instance
    const lock = calls.findLastIndex(([, name]) => name === 'lock_vault')
    for (const call of calls.slice(0, lock + 1)) void this.#first(seat, call)
    const others = calls.slice(lock + 1)
    await seat.instance.enqueue(async () => {
      let answers: AnswerMessage[] = []
      let since = performance.now()
      for (const [id, name, input] of others) {
        const wanted = this.#waiting.delete(id)
        const { output, failure } = wanted ? await this.#call(seat, name, input, locks) : NOT_MADE
        answers.push(failure === undefined ? [id, output] : [id, output, failure])
        if (performance.now() - since < ANSWERS_TOGETHER) continue
        this.#answer(answers)
        answers = []
        await letMessagesIn()
        since = performance.now()
      }
      if (answers.length > 0) this.#answer(answers)
    })
  }

  /**
   * A lock, and everything before it in the same message, runs ahead of all waiting calls, even if its caller has
   * stopped waiting.
   */
  async #first({ instance }: Seat, [id, name, input]: CallMessage): Promise<void> {
    this.#waiting.delete(id)
    const { output, failure } = await instance.first(name, input, this)
    this.#answer([failure === undefined ? [id, output] : [id, output, failure]])
  }

  async #call(seat: Seat, name: string, input: CallMessage[2], locks: number): Promise<Answer> {
    const { changesVault, holdsSecrets } = declaredOf(name)
    if (this.#options.vaultless && (changesVault || holdsSecrets)) {
      const error = 'An enclave with an HTTP bridge holds no vault: start another one without allowedHosts.'
      const refusal: Refusal = { error, code: 'OPERATION_FAILED', name: 'Internal' }
      return { output: JSON.stringify(refusal) }
    }
    return seat.instance.call(name, input, this, locks)
  }

  async #adopt(id: number, account: string): Promise<void> {
    try {
      const seat = await this.#seat
      await seat?.adopt(account)
      this.#answer([[id, undefined]])
    } catch (error) {
      this.#answer([[id, undefined, reasonOf(error)]])
    }
  }

  #answer(answers: readonly AnswerMessage[]): void {
    this.#port.post({ type: 'answers', answers })
  }

  async #end(): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#ended.abort()
    const seat = await this.#seat
    await seat?.leave()
  }
}
