import type { CallMessage, ClientPort } from './protocol.ts'

/** Most calls per message: the worker can start on the first while the rest are still being written. */
const MOST = 64

/** Sends calls to the worker. Calls made in one task go in one message. */
export class Outbox {
  #port: ClientPort | undefined
  #calls: CallMessage[] = []
  #scheduled = false

  /** Posts waiting calls, and all later ones. */
  open(port: ClientPort): void {
    this.#port = port
    this.#post()
  }

  /** Queues calls until `open`. Drops those already waiting: the owner knows which calls have no answer. */
  close(): void {
    this.#port = undefined
    this.#calls = []
  }

  add(call: CallMessage): void {
    this.#calls.push(call)
    if (this.#calls.length >= MOST) this.#post()
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      this.#post()
    })
  }

  #post(): void {
    if (!this.#port || this.#calls.length === 0) return
    const calls = this.#calls
    this.#calls = []
    const transfer: ArrayBuffer[] = []
    for (const [, , input] of calls) if (typeof input !== 'string') transfer.push(input.buffer)
    this.#port.post({ type: 'calls', calls }, transfer)
  }
}
