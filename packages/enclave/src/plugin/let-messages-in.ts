const { port1, port2 } = new MessageChannel()
// In Node a port that listens keeps the process alive.
for (const port of [port1, port2]) if ('unref' in port && typeof port.unref === 'function') port.unref()

const waiting: (() => void)[] = []
port1.onmessage = () => waiting.shift()?.()

/** Resolves after the messages that have come meanwhile. A timer would wait for 4 ms in a browser. */
export function letMessagesIn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    port2.postMessage(undefined)
  })
}
