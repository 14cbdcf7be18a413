/**
 * Whether what is left to a later task may never be done: workerd ends the timers and ports of a request with it, and one request's
 * end must not hold up the others'. All is done in one go there; its clock stands still meanwhile anyway.
 */
const tasksEndWithRequest = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** Taken before a test's, which may stand still. Of Node, Bun and Deno alone. */
const { setImmediate: immediately } = globalThis

let channel: MessageChannel | undefined
const waiting: (() => void)[] = []

/** Resolves after the messages that have come meanwhile. A timer would wait for 4 ms in a browser. */
export function letMessagesIn(): Promise<void> {
  if (tasksEndWithRequest) return Promise.resolve()
  return new Promise((resolve) => {
    // The first one may come before what waits; between it and the second one everything is let in. Node hands out what a port brings in
    // one go, timers and other ports waiting: two ends of a channel that keep it going would let nobody in.
    if (typeof immediately === 'function') immediately(() => immediately(resolve))
    else if (typeof MessageChannel === 'function') post(resolve)
    else setTimeout(resolve, 0)
  })
}

/** Calls back when this turn of the event loop is over: after the other callbacks of what has come in at the same time. */
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
