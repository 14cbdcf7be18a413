import type { Port } from './protocol.ts'

/** Wraps a browser's port. */
export function browserPort<Out, In>(port: MessagePort): Port<Out, In> {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen(listener) {
      port.onmessage = ({ data }: MessageEvent<In>) => listener(data)
    },
    close: () => port.close(),
  }
}
