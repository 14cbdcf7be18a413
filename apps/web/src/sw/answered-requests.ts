// Which requests were answered with an authorisation, so that none is answered twice: beyond the worker's life, which is short.
// Kept is a digest of each, not which site it was.

const CACHE = 'keyhole-payments'
/** More are forgotten, the oldest first. */
const MOST = 500

async function keyOf(origin: string, id: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${origin}\n${id}`))
  return `/${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * Notes that a site's request is about to be answered with an authorisation.
 * @returns false where it was before
 */
export async function claimRequest(origin: string, id: string): Promise<boolean> {
  const cache = await caches.open(CACHE)
  const key = await keyOf(origin, id)
  if (await cache.match(key)) return false
  await cache.put(key, new Response())
  const kept = await cache.keys()
  await Promise.all(kept.slice(0, -MOST).map((old) => cache.delete(old)))
  return true
}
