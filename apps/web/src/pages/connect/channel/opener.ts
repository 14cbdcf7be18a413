import type { Asking } from './hearing.ts'
import { PROTOCOL } from './protocol.ts'
import { type ReadRequest, type Refusal, readRequest } from './request.ts'

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

const readings = new WeakMap<Asking, FromOpener>()

/**
 * Reads what the opener asked, once. What cannot be granted to anyone is refused at once, before the person is asked, and the same whatever
 * vault there is.
 */
export function readAsking(asking: Asking): FromOpener {
  const known = readings.get(asking)
  if (known) return known
  const { origin, request, port } = asking
  const read: ReadRequest = isTrustworthy(origin)
    ? readRequest(request)
    : { refusal: { code: 'INVALID_REQUEST', message: 'Only a page of https can ask.' } }
  const reply = replyTo(port)
  if ('refusal' in read) reply.refused(read.refusal.code, read.refusal.message)
  const heard = { origin, read, reply }
  readings.set(asking, heard)
  return heard
}
