import { authorizeRequest, type GuardOptions } from './http/authorize.ts'
import { checkGuard } from './http/guard-options.ts'
import { invalidOptions } from './options.ts'
import type { Authorized } from './verdict.ts'
import type { Verifier } from './verifier.ts'

export type { GuardOptions } from './http/authorize.ts'

/**
 * Wraps a handler for servers that use `Request` and `Response`, and only calls it for an authorized call. Further
 * arguments are passed on. Set `address` if the server knows it, so that one client can't keep others waiting.
 */
export function guard<Rest extends readonly unknown[]>(
  verifier: Verifier,
  options: GuardOptions<Request>,
  handler: (call: Authorized, request: Request, ...rest: Rest) => Response | Promise<Response>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  checkGuard(verifier, options)
  if (typeof handler !== 'function')
    invalidOptions('`handler` must be a function: (call, request) => Response.')
  return async (request, ...rest) => {
    const header = request.headers.get('authorization')
    const headers = header === null ? [] : [header]
    const decided = await authorizeRequest(verifier, options, request, headers, undefined)
    if ('authorized' in decided) return await handler(decided, request, ...rest)
    const { status, headers: answered, body } = decided
    return new Response(body, { status, headers: answered })
  }
}
