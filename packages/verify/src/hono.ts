import type { Context, MiddlewareHandler } from 'hono'
import { authorizeRequest, type GuardOptions } from './http/authorize.ts'
import { checkGuard } from './http/guard-options.ts'
import type { Authorized } from './verdict.ts'
import type { Verifier } from './verifier.ts'

export type { GuardOptions } from './http/authorize.ts'

/**
 * Middleware for Hono. Later handlers get the call with `c.get('call')`. On Node it knows the client's address;
 * elsewhere set `address`.
 */
export function guard(
  verifier: Verifier,
  options: GuardOptions<Context>,
): MiddlewareHandler<{ Variables: { call: Authorized } }> {
  checkGuard(verifier, options)
  return async (context, next) => {
    const header = context.req.header('authorization')
    const headers = header === undefined ? [] : [header]
    const decided = await authorizeRequest(verifier, options, context, headers, addressOf(context.env))
    if (!('authorized' in decided)) {
      const { status, headers: answered, body } = decided
      return new Response(body, { status, headers: answered })
    }
    context.set('call', decided)
    return await next()
  }
}

/** The address of a connection in `@hono/node-server`. */
function addressOf(env: unknown): string | undefined {
  const address: unknown = Object(Object(Object(env).incoming).socket).remoteAddress
  return typeof address === 'string' ? address : undefined
}
