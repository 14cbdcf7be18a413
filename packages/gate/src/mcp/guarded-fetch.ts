// `fetch` for one MCP server on the network: to its configured URL and nowhere else.
import type { RemoteServerConfig } from '../config/config.ts'
import { addCredential, NoAnswer } from '../services/connection.ts'
import { sendGuarded } from '../services/guarded-request.ts'

/** How long a server may take to begin an answer, in milliseconds. */
const FIRST = 120_000

/**
 * Makes the `fetch` of a server. It follows no redirects, takes no packed answers, and cuts off those that are too long or take too long.
 *
 * @param longest answer, in bytes
 */
export function guardedFetch(config: RemoteServerConfig, secret: string | undefined, longest: number) {
  const own = new URL(config.url)
  const configured = Object.fromEntries(new Headers(config.headers))

  return async (to: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(to)
    // Where a server redirects to is not asked: it would get the call, and the credential.
    if (url.href !== own.href) throw new NoAnswer('The server leads elsewhere.')
    const headers = {
      ...configured,
      ...Object.fromEntries(new Headers(init.headers)),
      'accept-encoding': 'identity',
    }
    addCredential(config.auth, secret, url, headers)
    // A stream of news stays open. An answer ends in time.
    const first = new AbortController()
    const timer = setTimeout(() => first.abort(), FIRST)
    const { method = 'GET' } = init
    const signals = [
      first.signal,
      ...(init.signal ? [init.signal] : []),
      ...(method === 'POST' ? [AbortSignal.timeout(Math.max(config.timeout * 1_000, FIRST))] : []),
    ]
    try {
      return await sendGuarded(url, {
        method,
        headers,
        body: typeof init.body === 'string' ? init.body : undefined,
        signal: AbortSignal.any(signals),
        isPrivate: config.private,
        longest,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}
