// Which requests were let sign, so that none is signed twice: beyond the worker's life, which is short. Kept is a digest of each under a
// key of this profile, so that no copy of the list tells whether a site that someone guesses was paid.
import { claimKey } from './claim-key.ts'

const CACHE = 'keyhole-payments'
/** More are forgotten, the oldest first. */
const MOST = 500
/** How a name begins whose digest is under the key. Earlier ones were digests alone. */
const KEYED = '/claim/'
const UNKEYED = /^\/([0-9a-f]{64})$/

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A request's digest; `origin` and `id` cannot be told apart otherwise, since an origin has no line end. */
async function digestOf(origin: string, id: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${origin}\n${id}`)))
}

async function nameOf(digest: string, key: CryptoKey): Promise<string> {
  return KEYED + hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(digest)))
}

/** Puts what an earlier version has noted under the key: it counts as before. */
async function takeOver(cache: Cache, key: CryptoKey): Promise<void> {
  for (const request of await cache.keys()) {
    const [, digest] = UNKEYED.exec(new URL(request.url).pathname) ?? []
    if (digest === undefined) continue
    await cache.put(await nameOf(digest, key), new Response())
    await cache.delete(request)
  }
}

/** One at a time: two workers of this origin may be there while one follows the other. */
const alone = <T>(change: (cache: Cache, key: CryptoKey) => Promise<T>): Promise<T> =>
  navigator.locks.request(CACHE, async () => {
    const [cache, key] = [await caches.open(CACHE), await claimKey()]
    await takeOver(cache, key)
    return await change(cache, key)
  })

/**
 * Notes that a site's request is let sign.
 * @returns false where it was before
 */
export async function claimRequest(origin: string, id: string): Promise<boolean> {
  const digest = await digestOf(origin, id)
  return await alone(async (cache, key) => {
    const name = await nameOf(digest, key)
    if (await cache.match(name)) return false
    await cache.put(name, new Response())
    const claimed = await cache.keys()
    await Promise.all(claimed.slice(0, -MOST).map((old) => cache.delete(old)))
    return true
  })
}

/** Takes the note back: nothing was signed. Only whoever made it may. */
export async function giveBackRequest(origin: string, id: string): Promise<void> {
  const digest = await digestOf(origin, id)
  await alone(async (cache, key) => cache.delete(await nameOf(digest, key)))
}
