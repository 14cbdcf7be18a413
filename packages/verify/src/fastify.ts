import type { FastifyReply, FastifyRequest } from 'fastify'
import { authorizeRequest, type GuardOptions } from './http/authorize.ts'
import { authorizationsOf, getCall, setCall } from './http/calls.ts'
import { checkGuard } from './http/guard-options.ts'
import type { Authorized } from './verdict.ts'
import type { Verifier } from './verifier.ts'

export type { GuardOptions } from './http/authorize.ts'

/**
 * A hook for Fastify 5: `onRequest`, so that no body is read without a grant. Handlers get the call with {@link
 * callOf}.
 */
export function guard(
  verifier: Verifier,
  options: GuardOptions<FastifyRequest>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  checkGuard(verifier, options)
  return async (request, reply) => {
    const headers = authorizationsOf(request.raw)
    const decided = await authorizeRequest(verifier, options, request, headers, request.ip)
    if ('authorized' in decided) {
      setCall(request.raw, decided)
      return undefined
    }
    reply.code(decided.status)
    reply.headers(decided.headers)
    return reply.send(decided.body)
  }
}

/** The call that a request was authorized for. @throws Error if no guard ran */
export function callOf(request: Pick<FastifyRequest, 'raw'>): Authorized {
  return getCall(request.raw)
}
