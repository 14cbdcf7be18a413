// `fetch` for one MCP server on the network: to its configured URL and nowhere else.
import type { IncomingMessage } from 'node:http'
import type { RemoteServerConfig } from '../config/config.ts'
import { addCredential, connectionTo, NoAnswer, whyNot } from '../services/connection.ts'

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
    const { start, guards } = connectionTo(url, config.private)
    // A stream of news stays open. An answer ends in time.
    const first = new AbortController()
    const timer = setTimeout(() => first.abort(), FIRST)
    const isCall = init.method === 'POST'
    const signals = [
      first.signal,
      ...(init.signal ? [init.signal] : []),
      ...(isCall ? [AbortSignal.timeout(Math.max(config.timeout * 1_000, FIRST))] : []),
    ]
    try {
      return await new Promise((resolve, reject) => {
        const sent = start(
          url,
          { ...guards, method: init.method ?? 'GET', headers, signal: AbortSignal.any(signals) },
          (answer) => {
            try {
              resolve(responseOf(answer, longest))
            } catch (error) {
              sent.destroy()
              reject(error)
            }
          },
        )
        sent.on('upgrade', (_answer, socket) => {
          socket.destroy()
          reject(new NoAnswer('The server changed the protocol.'))
        })
        sent.on('error', (error) => reject(whyNot(error)))
        sent.end(typeof init.body === 'string' ? init.body : undefined)
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

function responseOf(answer: IncomingMessage, longest: number): Response {
  const { statusCode: status = 502, headers } = answer
  if (![undefined, 'identity'].includes(headers['content-encoding']?.toLowerCase()))
    throw new NoAnswer('The answer is packed.')
  if (status < 200 || status > 599) throw new NoAnswer('The server answered with a status that is none.')
  const kept = ['content-type', 'mcp-session-id', 'www-authenticate', 'location'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  if ([204, 205, 304].includes(status)) {
    answer.destroy()
    return new Response(null, { status, headers: Object.fromEntries(kept) })
  }
  return new Response(bodyOf(answer, longest), { status, headers: Object.fromEntries(kept) })
}

function bodyOf(answer: IncomingMessage, longest: number): ReadableStream<Uint8Array> {
  let length = 0
  let isOver = false
  return new ReadableStream({
    start(controller) {
      const fail = (error: NoAnswer) => {
        if (isOver) return
        isOver = true
        controller.error(error)
        answer.destroy()
      }
      answer.on('data', (part: Buffer) => {
        if (isOver) return
        length += part.length
        if (length > longest) return fail(new NoAnswer('The answer is too long.', true))
        controller.enqueue(part)
      })
      answer.on('error', (error) => fail(whyNot(error)))
      answer.on('close', () => fail(new NoAnswer('The answer is cut off.')))
      answer.on('end', () => {
        if (isOver) return
        isOver = true
        controller.close()
      })
    },
    cancel() {
      isOver = true
      answer.destroy()
    },
  })
}
