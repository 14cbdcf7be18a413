import type { IncomingMessage } from 'node:http'

/** The client's address that the proxy in front has added itself. What comes before it in the header, the client may have sent. */
export function addressFromProxy({ headers, socket }: IncomingMessage): string {
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return named || (socket.remoteAddress ?? '')
}
