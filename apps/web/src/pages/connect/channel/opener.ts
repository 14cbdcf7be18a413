import { type ReadRequest, type Refusal, readRequest } from '../../../shared/requests/request.ts'
import { PROTOCOL } from './protocol.ts'
import type { Asking } from './receive-request.ts'

/** Answers the asker. Only the first answer counts. */
export interface Reply {
  granted(token: string): void
  refused(code: Refusal['code'] | 'DECLINED', message: string): void
}

/** What the opener asked, and its origin as the browser reports it. */
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

/** Whether an origin identifies its page. A sandbox or a file has the origin "null", and anyone on the network can speak for an http page. */
export function isTrustworthy(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
  )
}

const readings = new WeakMap<Asking, FromOpener>()

/**
 * Reads what the opener asked, once. Requests that can't be granted to anyone are refused before the person is asked, the same for every
 * vault.
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
