// Signed calls of services by HTTP (docs/commands.md): `POST /http/<service>` with the invocation as `Authorization: Bearer`.
import { stringifyJson } from '@keyhole/enclave'
import { CallRefused } from '../errors.ts'
import type { GuardedService } from './guarded-service.ts'

/** Says whether an answer is the gate's or the service's. */
export const ANSWERED_BY = 'x-keyhole-answered-by'

const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
/** The status for a refusal. Any other is 403. */
const STATUS: Readonly<Record<string, number>> = {
  MissingToken: 401,
  InvalidSignature: 401,
  Expired: 401,
  TooEarly: 401,
  Replayed: 401,
  MalformedToken: 400,
  UnsupportedVersion: 400,
  MalformedCall: 400,
  UnclearPath: 400,
  TooLarge: 413,
  OverBudget: 429,
  Busy: 503,
  Unavailable: 503,
  ServerFailed: 502,
  AnswerTooLong: 502,
  AnswerWithheld: 502,
}

/** Whether a request has no body (RFC 9112, section 6.3). */
function isEmpty({ headers }: Request): boolean {
  return !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0
}

/** Answers a signed call of a service. Everything else in the request is passed over, but for a body that the call names by its digest. Of any other one, only that all of it arrives counts. @param address IP address of the caller, if it is known */
export async function answerService(
  service: GuardedService,
  request: Request,
  help: { readonly audience: string; readonly vault: string },
  address: string | undefined,
): Promise<Response> {
  if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
  const token = /^bearer +([\w+/=.-]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  try {
    if (token === undefined)
      throw new CallRefused(
        'MissingToken',
        'Send an invocation as Authorization: Bearer. See docs/commands.md.',
      )
    const sent = isEmpty(request) ? null : request.body
    const { status, headers, body } = await service.call(token, request.signal, sent, address)
    const hasNone = status === 204 || status === 205 || status === 304
    return new Response(hasNone ? null : body, {
      status: status < 200 || status > 599 ? 502 : status,
      headers: { ...headers, ...NO_STORE, [ANSWERED_BY]: 'service' },
    })
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    const { code, message, missing } = error
    const ready = missing && {
      subject: missing.subject,
      audience: help.audience,
      request: { command: missing.command, policy: missing.policy, vault: help.vault },
    }
    const status = STATUS[code] ?? 403
    const headers = {
      ...NO_STORE,
      'content-type': 'application/json',
      [ANSWERED_BY]: 'gate',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 503 && { 'retry-after': '1' }),
    }
    return new Response(stringifyJson({ error: { name: code, message }, ...ready }), { status, headers })
  }
}
