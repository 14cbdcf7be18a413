/**
 * Whether tasks end with the current request: workerd cancels a request's timers and ports, and one request must not
 * hold up others. There, everything runs in one go; its clock doesn't advance meanwhile anyway.
 */
const tasksEndWithRequest = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** Saved before a test can replace it with one that never fires. Only in Node, Bun and Deno. */
const { setImmediate: immediately } = globalThis

let channel: MessageChannel | undefined
const waiting: (() => void)[] = []

/** Resolves after messages that have arrived in the meantime. A browser timer would wait 4 ms. */
export function letMessagesIn(): Promise<void> {
  if (tasksEndWithRequest) return Promise.resolve()
  return new Promise((resolve) => {
    // Two rounds, because the first may run before waiting messages; between the two, everything gets in. Node delivers
    // all of a port's messages at once, ahead of timers and other ports, so a busy channel would block everything else.
    if (typeof immediately === 'function') immediately(() => immediately(resolve))
    else if (typeof MessageChannel === 'function') post(resolve)
    else setTimeout(resolve, 0)
  })
}

/** Calls back at the end of this turn of the event loop, after the other callbacks that arrived with it. */
export function atEndOfTurn(callback: () => void): void {
  if (tasksEndWithRequest) queueMicrotask(callback)
  else if (typeof immediately === 'function') immediately(callback)
  else void letMessagesIn().then(callback)
}

function post(callback: () => void): void {
  if (!channel) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => waiting.shift()?.()
  }
  waiting.push(callback)
  channel.port2.postMessage(undefined)
}
