// For proxies that ask before they pass on a request: nginx (`auth_request`), Caddy (`forward_auth`), Traefik
// (`ForwardAuth`).
import { parseJson, stringifyJson } from '@keyhole/enclave'
import { type Answer, answerTo, type Problem } from './http/answer.ts'
import { authorize, type HelpOptions } from './http/authorize.ts'
import { checkForwardAuth } from './http/guard-options.ts'
import { type HttpCall, httpCallOf, OVERRIDES } from './http/http-call.ts'
import { policyOf } from './missing.ts'
import type { Authorized } from './verdict.ts'
import type { Verifier } from './verifier.ts'

export { type HttpCall, httpCallOf } from './http/http-call.ts'

export interface ForwardAuthOptions extends HelpOptions {
  /** The name that grants use for what is behind the proxy. */
  readonly service: string
}

/** Longest ready request in a header, in characters: proxies buffer headers in pages of 4 KiB. */
const LONGEST_HEADER = 2_048

/**
 * Answers a proxy that asks whether to pass on a request: 200 with the caller in `X-Keyhole-…` headers, or 401, 403 or
 * 503. `X-Forwarded-Method` and `X-Forwarded-Uri` describe the request, and the last of `X-Forwarded-For` its client.
 * The invocation must be of `/http/<method>` with the arguments `service`, `path` and `query` of that request. Only the
 * proxy may be able to reach this.
 * @throws VerifyError INVALID_OPTIONS
 */
export function forwardAuth(
  verifier: Verifier,
  options: ForwardAuthOptions,
): (request: Request) => Promise<Response> {
  checkForwardAuth(verifier, options)
  const { service, ...help } = options
  return async ({ headers }) => {
    const call = callOf(service, headers)
    if (!call) return toResponse(answerTo(AMBIGUOUS, undefined, 403))
    const policy = policyOf(call.args)
    const header = headers.get('authorization')
    const decided = await authorize(verifier, {
      ...help,
      headers: header === null ? [] : [header],
      address: headers.get('x-forwarded-for')?.split(',').at(-1)?.trim(),
      expected: { command: call.command, compare: ({ args }) => compare(call, args) },
      wanted: policy && { command: call.command, policy },
    })
    return toResponse('authorized' in decided ? pass(decided) : forProxy(decided))
  }
}

const AMBIGUOUS: Problem = {
  name: 'AmbiguousRequest',
  message:
    'This request can be read in more than one way. Send its path decoded once, without dots or empty parts, parameters whose names differ clearly, and no X-Keyhole headers or others that override it.',
  cid: null,
}

function callOf(service: string, headers: Headers): HttpCall | undefined {
  if (Array.from(headers.keys()).some(isMisleading)) return undefined
  return httpCallOf(service, headers.get('x-forwarded-method') ?? '', headers.get('x-forwarded-uri') ?? '')
}

/**
 * Whether a header would have the service take another method, path or caller. Some servers read `_` as `-`, and no
 * proxy overwrites a header that is spelled like that.
 */
function isMisleading(header: string): boolean {
  const name = header.toLowerCase().replaceAll('_', '-')
  return name.startsWith('x-keyhole-') || OVERRIDES.some((each) => each === name)
}

/** This never sees the body, so arguments about one can't be compared. */
function compare({ args: expected }: HttpCall, found: Readonly<Record<string, unknown>>) {
  const { service, path, query = {}, ...others } = found
  const isSame =
    service === expected.service &&
    path === expected.path &&
    isSameQuery(Object(query), expected.query ?? {}) &&
    // A limit on anything else would be held against nothing of the request.
    Object.keys(others).length === 0
  if (isSame) return undefined
  const message =
    'body' in others
      ? 'The body is not seen here. Sign the call without one.'
      : 'The signed arguments are not those of the request.'
  return { message, expected, found }
}

function isSameQuery(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const sorted = (query: typeof one) => Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  return stringifyJson(sorted(one)) === stringifyJson(sorted(other))
}

/** All headers are always set, so that a proxy that copies them leaves none under these names as it was. */
function pass({ subject, issuer, command, cid }: Authorized): Answer {
  const headers = {
    'x-keyhole-subject': subject,
    'x-keyhole-issuer': issuer,
    'x-keyhole-command': command,
    'x-keyhole-invocation': cid,
    'cache-control': 'no-store',
  }
  return { status: 200, headers, body: '' }
}

/**
 * Proxies pass on 401 and 403, and treat other answers as failures. Some drop the body, so the ready request is in a
 * header too.
 */
function forProxy({ status, headers, body }: Answer): Answer {
  const { request, subject, audience } = Object(parseJson(body))
  const ready = request && toBase64url(stringifyJson({ subject, audience, request }))
  return {
    status: status === 400 || status === 413 ? 403 : status,
    headers: { ...headers, ...(ready && ready.length <= LONGEST_HEADER && { 'x-keyhole-request': ready }) },
    body,
  }
}

function toBase64url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers })
}
