import type { Port } from './protocol.ts'

/** A port of a browser's. */
export function browserPort<Out, In>(port: MessagePort): Port<Out, In> {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen(listener) {
      port.onmessage = ({ data }: MessageEvent<In>) => listener(data)
    },
    close: () => port.close(),
  }
}
