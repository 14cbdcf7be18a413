import type { FetchLike } from '@modelcontextprotocol/client'
import { NoAnswer } from '../services/connection.ts'
import { sendGuarded } from '../services/guarded-request.ts'

/** Longest answer of an issuer, in bytes. */
const LONGEST = 1 << 20
/** How long an issuer may take, in milliseconds. */
const PATIENCE = 15_000

/**
 * The `fetch` for issuers. A server names its issuer, so it could name anything: only https, and no private addresses, unless the server
 * itself may be at one. Redirects are not followed.
 */
export function loginFetch(mayBePrivate: boolean): FetchLike {
  return async (to, init = {}) => {
    const url = new URL(to)
    if (url.protocol !== 'https:' && !(mayBePrivate && url.protocol === 'http:'))
      throw new NoAnswer('A login goes over https.')
    const { body } = init
    const signals = [AbortSignal.timeout(PATIENCE), ...(init.signal ? [init.signal] : [])]
    return await sendGuarded(url, {
      method: init.method ?? 'GET',
      headers: {
        // As `fetch` does by itself.
        ...(body instanceof URLSearchParams && {
          'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        }),
        ...Object.fromEntries(new Headers(init.headers)),
        'accept-encoding': 'identity',
      },
      body: body === undefined || body === null ? undefined : String(body),
      signal: AbortSignal.any(signals),
      isPrivate: mayBePrivate,
      longest: LONGEST,
    })
  }
}
