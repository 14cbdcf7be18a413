import { PROTOCOL } from './protocol.ts'

/** What the opener asked, not parsed yet, and its origin as the browser reports it. */
export interface Asking {
  readonly origin: string
  readonly request: unknown
  /** Where to send the answer. */
  readonly port: MessagePort
}

/** The parts of a window used here. */
export interface OpenedWindow extends Pick<Window, 'addEventListener' | 'removeEventListener'> {
  readonly opener: Pick<Window, 'postMessage'> | null
}

function portIn({ data, ports }: MessageEvent<unknown>): MessagePort | undefined {
  const isRequest =
    typeof data === 'object' &&
    data !== null &&
    'protocol' in data &&
    data.protocol === PROTOCOL &&
    'type' in data &&
    data.type === 'request'
  return isRequest && ports.length === 1 ? ports[0] : undefined
}

/**
 * Tells the opener that this document listens, and takes one request from it. It ignores other windows of the same site, frames, and a
 * second request. Listening reveals nothing about the vault.
 * @returns stops listening
 */
export function hearOpener(own: OpenedWindow, heard: (asking: Asking) => void): () => void {
  const { opener } = own
  const hear = (event: MessageEvent<unknown>) => {
    if (opener === null || event.source !== opener) return
    const port = portIn(event)
    if (!port) return
    stop()
    heard({ origin: event.origin, request: Reflect.get(Object(event.data), 'request'), port })
  }
  const stop = () => own.removeEventListener('message', hear)
  own.addEventListener('message', hear)
  opener?.postMessage({ protocol: PROTOCOL, type: 'ready' }, '*')
  return stop
}

let first: Asking | undefined
const listeners = new Set<(asking: Asking) => void>()
let stop = () => {}

/** Starts listening to the opener before the page that reads its request has loaded. */
export function listenAtOnce(): void {
  // A request after a # is a text, no matter who opened the window, and gets no answer by message.
  if (location.hash.length > 1) return
  stop = hearOpener(window, (asking) => {
    first = asking
    for (const heard of listeners) heard(asking)
  })
}

/** What the opener has asked so far. */
export function askedSoFar(): Asking | undefined {
  return first
}

/** Calls `heard` with what the opener asks from now on. @returns the unsubscribe function */
export function whenAsked(heard: (asking: Asking) => void): () => void {
  listeners.add(heard)
  return () => {
    listeners.delete(heard)
  }
}

/** Stops listening to the opener. */
export function stopListening(): void {
  stop()
}
