import type { ClientMessage, ClientPort, Port, WorkerMessage, WorkerPort } from '../worker/protocol.ts'

/**
 * Both ends of a line between a client and a worker in the same thread. A message arrives after the running code has
 * finished.
 */
export function linePair(): [ClientPort, WorkerPort] {
  const toWorker = new Line<ClientMessage>()
  const toClient = new Line<WorkerMessage>()
  return [endOf(toWorker, toClient), endOf(toClient, toWorker)]
}

function endOf<Out, In>(out: Line<Out>, into: Line<In>): Port<Out, In> {
  return {
    post: (message) => out.post(message),
    listen: (listener) => into.listen(listener),
    close: () => into.close(),
  }
}

/** One direction. Messages wait until there is a listener. */
class Line<Message> {
  #listener: ((message: Message) => void) | undefined
  #waiting: Message[] = []
  #closed = false

  post(message: Message): void {
    queueMicrotask(() => {
      if (this.#closed) return
      if (this.#listener) this.#listener(message)
      else this.#waiting.push(message)
    })
  }

  listen(listener: (message: Message) => void): void {
    this.#listener = listener
    for (const message of this.#waiting.splice(0)) listener(message)
  }

  close(): void {
    this.#closed = true
    this.#waiting = []
  }
}
