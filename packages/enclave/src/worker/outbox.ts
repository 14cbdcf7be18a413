import type { CallMessage, ClientPort } from './protocol.ts'

/** Most calls in one message: the worker is at work on the first while the next ones are being written. */
const MOST = 64

/** Calls on their way to the worker: those made in one task travel in one message. */
export class Outbox {
  #port: ClientPort | undefined
  #calls: CallMessage[] = []
  #scheduled = false

  /** Posts what waits, and from now on. */
  open(port: ClientPort): void {
    this.#port = port
    this.#post()
  }

  /** Keeps what comes until `open`. What waited is dropped: whoever closes it has what was not answered. */
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
