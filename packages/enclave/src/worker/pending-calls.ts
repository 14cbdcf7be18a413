import { EnclaveError } from '../errors.ts'
import type { CallMessage } from './protocol.ts'

/** A call without an answer. */
export interface PendingCall {
  readonly name: string
  /** Makes what to send again; undefined if it can't be sent twice. */
  readonly again: (() => CallMessage[2]) | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Its caller has stopped waiting, after a timeout or an abort, but the worker may still be running it. */
  abandoned: boolean
  readonly stop: () => void
}

/** How to send a call. */
export interface CallSpec {
  readonly name: string
  /** Makes the input, if it may be sent twice. Most calls are sent once, so it isn't kept as text. */
  readonly again: (() => CallMessage[2]) | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** What the owner of the calls does about them. */
export interface PendingCallsOwner {
  /** Whether any answer is awaited. */
  busy(awaited: boolean): void
  /** The caller of the running call stopped waiting, after a timeout or an abort. */
  hangs(id: number, why: 'timeout' | 'abort'): void
  /** Whether the two calls run together. */
  isTogether(one: number, other: number): boolean
  /** The caller of a waiting call stopped waiting. */
  dropped(id: number): void
}

/** The calls without an answer, in the order they run. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>()
  readonly #owner: PendingCallsOwner
  #last = 0

  constructor(owner: PendingCallsOwner) {
    this.#owner = owner
  }

  get size(): number {
    return this.#calls.size
  }

  /** Starts waiting for a call. @returns its id */
  add(
    { name, again, timeout, signal }: CallSpec,
    resolve: PendingCall['resolve'],
    reject: PendingCall['reject'],
  ): number {
    this.#last += 1
    const id = this.#last
    const timer = setTimeout(() => this.#giveUp(id, 'timeout', tooLate(name, timeout)), timeout)
    const abort = () => this.#giveUp(id, 'abort', signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    if (this.#calls.size === 0) this.#owner.busy(true)
    this.#calls.set(id, { name, again, resolve, reject, stop, abandoned: false })
    return id
  }

  /** Stops waiting for a call. @returns the call, even if its caller no longer waits */
  take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    if (!call) return undefined
    this.#calls.delete(id)
    call.stop()
    if (this.#calls.size === 0) this.#owner.busy(false)
    return call
  }

  /** Whether a caller still waits for this. */
  has(id: number): boolean {
    return this.#calls.get(id)?.abandoned === false
  }

  /** Rejects every call unless `keep` accepts it. @returns the kept ones, ready to be sent again */
  clear(reason: EnclaveError, keep: (call: PendingCall) => boolean = () => false): CallMessage[] {
    const toRepeat: CallMessage[] = []
    for (const [id, call] of [...this.#calls]) {
      if (!call.abandoned && call.again && keep(call)) {
        toRepeat.push([id, call.name, call.again()])
      } else if (this.take(id) && !call.abandoned) {
        call.reject(reason)
      }
    }
    return toRepeat
  }

  #giveUp(id: number, why: 'timeout' | 'abort', reason: unknown): void {
    const call = this.#calls.get(id)
    if (!call || call.abandoned) return
    call.abandoned = true
    call.stop()
    call.reject(reason)
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined && this.#owner.isTogether(oldest, id)) this.#owner.hangs(id, why)
    else this.#owner.dropped(id)
  }
}

function tooLate(name: string, timeout: number): EnclaveError {
  return new EnclaveError('TIMEOUT', `The enclave did not answer ${name} within ${timeout} ms.`, {
    name,
    timeout,
  })
}
