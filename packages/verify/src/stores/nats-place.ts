import { VerifyError } from '../errors.ts'

/** A cluster, and who connects to it. */
export interface NatsPlace {
  /** Addresses, such as `10.0.0.1:4222`. */
  readonly servers: readonly string[]
  readonly user?: string
  readonly pass?: string
}

/**
 * A cluster from addresses as people write them: `10.0.0.1:4222` or `nats://user:password@10.0.0.1:4222`. The client itself would
 * overlook a user and a password in an address.
 *
 * @param addresses of all servers. The first that has a user counts for all; `%` escapes are read
 * @throws VerifyError INVALID_OPTIONS if one isn't an address, or there is none. It repeats no address: it may contain a password
 */
export function natsPlace(addresses: readonly string[]): NatsPlace {
  const urls = addresses.map(urlOf)
  const known = urls.find(({ username }) => username !== '')
  if (urls.length === 0) throw unreadable()
  return {
    servers: urls.map(({ host }) => host),
    ...(known && { user: decoded(known.username), pass: decoded(known.password) }),
  }
}

function urlOf(address: string): URL {
  const text = /^nats:\/\//.test(address) ? address : `nats://${address}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Without its escape, a # or / in a password ends the address: the rest of the password would be taken for a host.
  const isWhole = url && /^\/?$/.test(url.pathname + url.search + url.hash)
  if (!url?.host || !isWhole) throw unreadable()
  return url
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unreadable()
  }
}

function unreadable(): VerifyError {
  const message = 'Name the servers of the NATS cluster as HOST:PORT or nats://USER:PASSWORD@HOST:PORT.'
  return new VerifyError('INVALID_OPTIONS', message)
}
