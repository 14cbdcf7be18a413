// Server-sent events (WHATWG HTML, 9.2) of a feed.
import type { Revocation } from '../stores/store.ts'

const utf8 = new TextEncoder()
/** Most listeners get the same page, so it is encoded once. */
const encoded = new WeakMap<readonly Revocation[], Uint8Array>()

/** First event: sets the client's pause before it reconnects, in milliseconds. */
export const RETRY_EVENT = utf8.encode('retry: 1000\n\n')

/** Revocations. The id of each tells the relay where to resume. */
export function revocationEvents(revocations: readonly Revocation[], epoch: string): Uint8Array {
  const known = encoded.get(revocations)
  if (known) return known
  const text = revocations
    .map((each) => `id: ${epoch}.${each.seq}\nevent: revocation\ndata: ${JSON.stringify(toJson(each))}\n\n`)
    .join('')
  const bytes = utf8.encode(text)
  encoded.set(revocations, bytes)
  return bytes
}

/** The client has every revocation up to now. */
export function aliveEvent(now: number): Uint8Array {
  return utf8.encode(`event: alive\ndata: ${JSON.stringify({ now: Math.floor(now / 1_000) })}\n\n`)
}

/** The client's last event is not from this store, so the feed starts from its beginning. */
export const RESET_EVENT = utf8.encode('event: reset\ndata: {}\n\n')

/** A revocation as clients get it, with `until` in seconds since 1970. */
export function toJson({ cid, by, revocation, until }: Revocation) {
  return { cid, by, revocation, until: until === null ? null : Math.floor(until / 1_000) }
}
