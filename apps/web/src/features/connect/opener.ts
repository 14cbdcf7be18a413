import { PROTOCOL, type ReadRequest, type Refusal, readRequest } from './request.ts'

/** What is said to the one who asked; once, whatever comes first. */
export interface Reply {
  granted(token: string): void
  refused(code: Refusal['code'] | 'DECLINED', message: string): void
}

/** What the opener asked, and who it is: its origin as the browser names it. */
export interface FromOpener {
  readonly origin: string
  readonly read: ReadRequest
  readonly reply: Reply
}

/** As much of a window as is needed here. */
export interface OpenedWindow extends Pick<Window, 'addEventListener' | 'removeEventListener'> {
  readonly opener: Pick<Window, 'postMessage'> | null
}

function replyTo(port: MessagePort): Reply {
  let isOver = false
  const say = (message: object) => {
    if (isOver) return
    isOver = true
    port.postMessage({ protocol: PROTOCOL, ...message })
    port.close()
  }
  return {
    granted: (token) => say({ type: 'granted', token }),
    refused: (code, message) => say({ type: 'refused', code, message }),
  }
}

/** Whether messages of an origin can be told from anybody's: that of a sandbox or a file is "null", that of http anyone's on the way. */
export function isTrustworthy(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  )
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
export function hearOpener(own: OpenedWindow, heard: (asked: FromOpener) => void): () => void {
  const { opener } = own
  const hear = (event: MessageEvent<unknown>) => {
    if (opener === null || event.source !== opener) return
    const port = portIn(event)
    if (!port) return
    stop()
    const { origin, data } = event
    const read: ReadRequest = isTrustworthy(origin)
      ? readRequest(Reflect.get(Object(data), 'request'))
      : { refusal: { code: 'INVALID_REQUEST', message: 'Only a page of https can ask.' } }
    const reply = replyTo(port)
    if ('refusal' in read) reply.refused(read.refusal.code, read.refusal.message)
    heard({ origin, read, reply })
  }
  const stop = () => own.removeEventListener('message', hear)
  own.addEventListener('message', hear)
  opener?.postMessage({ protocol: PROTOCOL, type: 'ready' }, '*')
  return stop
}
