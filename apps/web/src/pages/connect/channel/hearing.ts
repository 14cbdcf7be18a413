import { PROTOCOL } from './protocol.ts'

/** What the opener asked, not read yet, and who it is: its origin as the browser names it. */
export interface Asking {
  readonly origin: string
  readonly request: unknown
  /** Where the answer goes. */
  readonly port: MessagePort
}

/** As much of a window as is needed here. */
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
 * Tells the opener that this document listens, and takes one request from it. Nobody else is heard: neither another window of the same
 * site, nor a frame, nor the opener a second time. That it listens says nothing of the vault.
 *
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

/** Begins to hear the opener before the page is there that reads what it says. */
export function listenAtOnce(): void {
  // Behind a # it is a text, whoever opened the window: nothing of it goes back.
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

/** Calls `heard` with what the opener asks from now on. @returns the unsubscribe */
export function whenAsked(heard: (asking: Asking) => void): () => void {
  listeners.add(heard)
  return () => {
    listeners.delete(heard)
  }
}

/** Hears the opener no more. */
export function stopListening(): void {
  stop()
}
