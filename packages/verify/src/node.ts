// Guards for `node:http` servers, and for Express, whose requests are the same.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { stringifyJson } from '@keyhole/enclave'
import { type Answer, answerTo, JSON_HEADERS, problemOf } from './http/answer.ts'
import { authorizeRequest, type GuardOptions } from './http/authorize.ts'
import { readText } from './http/body.ts'
import { authorizationsOf, getCall, setCall } from './http/calls.ts'
import { checkGuard, checkRevocations } from './http/guard-options.ts'
import type { Authorized } from './verdict.ts'
import type { Verifier } from './verifier.ts'

export type { GuardOptions } from './http/authorize.ts'
export { limitPipelining } from './http/limit-pipelining.ts'
export { sharedAnswer } from './http/shared-answer.ts'

/** Options for `createServer` of `node:http`: room for a token in the headers, and short timeouts for slow clients. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 64 * 1_024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
} as const

/** Middleware: calls `next` only for an authorized request. Later handlers get the call with {@link callOf}. */
export function guard<Request extends IncomingMessage = IncomingMessage>(
  verifier: Verifier,
  options: GuardOptions<NoInfer<Request>>,
): (request: Request, response: ServerResponse, next: () => unknown) => Promise<void> {
  checkGuard(verifier, options)
  return async (request, response, next) => {
    const headers = authorizationsOf(request)
    const decided = await authorizeRequest(verifier, options, request, headers, request.socket.remoteAddress)
    if (!('authorized' in decided)) return send(request, response, decided)
    setCall(request, decided)
    await next()
  }
}

/** The call that a request was authorized for. @throws Error if no guard ran */
export function callOf(request: IncomingMessage): Authorized {
  return getCall(request)
}

/** Takes revocations sent as the body, for a verifier whose `revocations` is a store. Answers 202. */
export function revocations(
  verifier: Verifier,
  options: Pick<GuardOptions<IncomingMessage>, 'onError' | 'address'> = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  checkRevocations(verifier, options)
  const { onError = console.error, address } = options
  return async (request, response) => {
    const from = address ? address(request) : request.socket.remoteAddress
    try {
      const taken = await verifier.revoke(await readText(request), { address: from })
      if (!('added' in taken)) return send(request, response, answerTo(taken.refusal))
      const { cid, revokes, by } = taken
      send(request, response, {
        status: 202,
        headers: JSON_HEADERS,
        body: stringifyJson({ cid, revokes, by }),
      })
    } catch (error) {
      const problem = problemOf(error)
      if (problem.name !== 'Busy') onError(error)
      send(request, response, answerTo(problem))
    }
  }
}

/** Answers data that isn't a valid request: use it for `clientError`. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = stringifyJson({
    error: {
      name: isLong ? 'TooLarge' : 'MalformedRequest',
      message: isLong ? 'The headers are too long.' : 'This is not HTTP.',
      cid: null,
    },
  })
  const status = isLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return
  // The rest of the body is not read.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(status, headers).end(body)
}
