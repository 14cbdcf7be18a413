// Which requests were let sign, so that none is signed twice: beyond the worker's life, which is short. Kept is a digest of each, not
// which site it was.

const CACHE = 'keyhole-payments'
/** More are forgotten, the oldest first. */
const MOST = 500

async function keyOf(origin: string, id: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${origin}\n${id}`))
  return `/${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** One at a time: two workers of this origin may be there while one follows the other. */
const alone = <T>(change: (cache: Cache) => Promise<T>): Promise<T> =>
  navigator.locks.request(CACHE, async () => await change(await caches.open(CACHE)))

/**
 * Notes that a site's request is let sign.
 * @returns false where it was before
 */
export async function claimRequest(origin: string, id: string): Promise<boolean> {
  const key = await keyOf(origin, id)
  return await alone(async (cache) => {
    if (await cache.match(key)) return false
    await cache.put(key, new Response())
    const kept = await cache.keys()
    await Promise.all(kept.slice(0, -MOST).map((old) => cache.delete(old)))
    return true
  })
}

/** Takes the note back: nothing was signed. Only whoever made it may. */
export async function giveBackRequest(origin: string, id: string): Promise<void> {
  const key = await keyOf(origin, id)
  await alone((cache) => cache.delete(key))
}
