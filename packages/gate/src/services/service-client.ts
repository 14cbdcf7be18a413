// Sends a request to a service, with its credential, to its configured origin and nowhere else.
import type { ServiceConfig } from '../config/config.ts'
import { addCredential, connectionTo, NoAnswer, whyNot } from './connection.ts'
import type { ServiceRequest } from './request.ts'

/** An answer as the service gave it. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends it once. @throws NoAnswer: the service may have carried it out */
export async function send(
  config: ServiceConfig,
  secret: string | undefined,
  request: ServiceRequest,
  signal: AbortSignal | undefined,
): Promise<RawAnswer> {
  const base = new URL(config.url)
  const target = `${base.pathname.replace(/\/$/, '')}${request.target}`
  const url = new URL(`${base.origin}${target}`)
  const headers = { ...config.headers, ...request.headers, 'accept-encoding': 'identity' }
  // The parser must have found nothing else in it than what was written.
  if (url.origin !== base.origin || url.pathname !== target.replace(/\?.*$/s, ''))
    throw new NoAnswer('The request leads elsewhere.')
  addCredential(config.auth, secret, url, headers)
  const { start, guards } = connectionTo(url, config.private)
  const ended = AbortSignal.timeout(config.timeout * 1_000)
  return await new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(whyNot(error))
    const sent = start(
      url,
      {
        ...guards,
        method: request.method,
        headers,
        signal: signal ? AbortSignal.any([signal, ended]) : ended,
      },
      (response) => {
        const parts: Buffer[] = []
        let length = 0
        response.on('data', (part: Buffer) => {
          length += part.length
          parts.push(part)
          if (length <= config.longestAnswer) return
          fail(new NoAnswer('The answer is too long.', true))
          sent.destroy()
        })
        response.on('end', () => {
          const { statusCode = 502, headers: answered, complete } = response
          if (!complete) return fail(new NoAnswer('The answer is cut off.'))
          resolve({ status: statusCode, headers: answered, body: Buffer.concat(parts) })
        })
        response.on('error', fail)
      },
    )
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new NoAnswer('The service changed the protocol.'))
    })
    sent.on('error', fail)
    sent.end(request.body)
  })
}
