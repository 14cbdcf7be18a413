// Error answers: JSON with an `error` code for programs.

/** Why a call failed. */
export type RelayErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_mailbox'
  | 'full'
  | 'conflict'
  | 'too_large'
  | 'not_a_revocation'
  | 'too_many_requests'
  | 'unavailable'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired'

const STATUS: Readonly<Record<RelayErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unknown_mailbox: 404,
  full: 409,
  conflict: 409,
  too_large: 413,
  not_a_revocation: 422,
  too_many_requests: 429,
  unavailable: 503,
  authorization_pending: 400,
  slow_down: 400,
  expired: 400,
}

/** Seconds to wait before a retry. */
const RETRY_AFTER = 5

/** A call that failed. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly code: RelayErrorCode
  /** The rule that a token broke, by the UCAN specification's name for it. */
  readonly rule: string | undefined

  constructor(code: RelayErrorCode, rule?: string) {
    super(rule === undefined ? code : `${code}: ${rule}`)
    this.code = code
    this.rule = rule
  }
}

/** Headers of every answer. */
export const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

export function errorResponse({ code, rule }: RelayError): Response {
  const isBusy = code === 'unavailable' || code === 'too_many_requests'
  return Response.json(
    { error: code, ...(rule === undefined ? {} : { rule }) },
    {
      status: STATUS[code],
      headers: {
        ...HEADERS,
        ...(isBusy ? { 'retry-after': String(RETRY_AFTER) } : {}),
        ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="keyhole-relay"' } : {}),
      },
    },
  )
}

/** A stream of server-sent events. No proxy may hold them back. @param body null for HEAD, which gets no events: nothing would end them */
export function eventAnswer(body: ReadableStream<Uint8Array> | null): Response {
  const headers = { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  return new Response(body, { headers })
}
