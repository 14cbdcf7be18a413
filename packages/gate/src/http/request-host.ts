import type { IncomingMessage } from 'node:http'

/** With one of these in the header, part of it would be read as a path or a user name. */
const NO_HOST = /[/\\?#@]/

/**
 * The host and port that a request is for (RFC 9112, section 3.2): of a whole address, what it says, and the header doesn't count.
 *
 * @returns undefined if it says none, several, or more than a host
 */
export function hostOf({ url = '', headersDistinct }: IncomingMessage): string | undefined {
  const [host, ...others] = headersDistinct.host ?? []
  if (host === undefined || others.length > 0 || NO_HOST.test(host)) return undefined
  if (url.startsWith('/')) return host
  return URL.canParse(url) ? new URL(url).host : undefined
}
