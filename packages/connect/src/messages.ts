// The messages between the two documents, described in docs/connect.md.
import { REFUSALS, type RefusalCode } from './errors.ts'
import type { ConnectRequest } from './request.ts'

/** In every message, so that neither side mistakes another page's message for one of these. */
export const PROTOCOL = 'keyhole-connect-1'

/** From the vault's document to its opener, once it listens. It carries nothing else. */
export interface Ready {
  readonly protocol: typeof PROTOCOL
  readonly type: 'ready'
}

/** From the opener to the vault's document, with the port for the answer. */
export interface Ask {
  readonly protocol: typeof PROTOCOL
  readonly type: 'request'
  readonly request: ConnectRequest
}

/** Through the port, once. */
export type Answer =
  | { readonly protocol: typeof PROTOCOL; readonly type: 'granted'; readonly token: string }
  | {
      readonly protocol: typeof PROTOCOL
      readonly type: 'refused'
      readonly code: RefusalCode
      readonly message: string
    }

function isMessage(data: unknown): data is { readonly type: unknown } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'protocol' in data &&
    data.protocol === PROTOCOL &&
    'type' in data
  )
}

/** Whether a message says that the vault listens. */
export function isReady(data: unknown): data is Ready {
  return isMessage(data) && data.type === 'ready'
}

/** The answer in a message; undefined for anything else. */
export function readAnswer(data: unknown): Answer | undefined {
  if (!isMessage(data)) return undefined
  if (data.type === 'granted' && 'token' in data && typeof data.token === 'string') {
    return { protocol: PROTOCOL, type: 'granted', token: data.token }
  }
  if (data.type !== 'refused' || !('code' in data) || !('message' in data)) return undefined
  const code = REFUSALS.find((known) => known === data.code)
  if (code === undefined || typeof data.message !== 'string') return undefined
  return { protocol: PROTOCOL, type: 'refused', code, message: data.message }
}
