import type { IncomingMessage } from 'node:http'

/**
 * The host and port that a request is for (RFC 9112, section 3.2): of a whole address, what it says, and the header doesn't count.
 *
 * @returns undefined if it says none, or several
 */
export function hostOf({ url = '', headersDistinct }: IncomingMessage): string | undefined {
  const [host, ...others] = headersDistinct.host ?? []
  if (host === undefined || others.length > 0) return undefined
  if (url.startsWith('/')) return host
  return URL.canParse(url) ? new URL(url).host : undefined
}
