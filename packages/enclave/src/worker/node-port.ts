import type { MessagePort } from 'node:worker_threads'
import type { Port } from './protocol.ts'

/** Wraps a Node port. */
export function nodePort<Out, In>(port: MessagePort): Port<Out, In> {
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    listen: (listener) => port.on('message', listener),
    close: () => port.close(),
  }
}
