// Records which requests were allowed to sign, so that none is signed twice, even after this short-lived worker ends. It stores a digest of
// each under this profile's key, so that a copy of the list can't confirm a guess at a site.
import { claimKey } from './claim-key.ts'

const CACHE = 'keyhole-payments'
/** When there are more, the oldest are forgotten. */
const MOST = 500
/** The start of a name whose digest is under the key. Earlier ones were plain digests. */
const KEYED = '/claim/'
const UNKEYED = /^\/([0-9a-f]{64})$/

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A request's digest. The line break separates `origin` and `id`, because an origin has none. */
async function digestOf(origin: string, id: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${origin}\n${id}`)))
}

async function nameOf(digest: string, key: CryptoKey): Promise<string> {
  return KEYED + hex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(digest)))
}

/** Moves an earlier version's records under the key. They still count. */
async function takeOver(cache: Cache, key: CryptoKey): Promise<void> {
  for (const request of await cache.keys()) {
    const [, digest] = UNKEYED.exec(new URL(request.url).pathname) ?? []
    if (digest === undefined) continue
    await cache.put(await nameOf(digest, key), new Response())
    await cache.delete(request)
  }
}

/** One change at a time: two workers of this origin can exist while one replaces the other. */
const alone = <T>(change: (cache: Cache, key: CryptoKey) => Promise<T>): Promise<T> =>
  navigator.locks.request(CACHE, async () => {
    const [cache, key] = [await caches.open(CACHE), await claimKey()]
    await takeOver(cache, key)
    return await change(cache, key)
  })

/**
 * Records that a site's request may be signed.
 * @returns false if that was recorded before
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

/** Removes the record, because nothing was signed. Only its creator may do this. */
export async function giveBackRequest(origin: string, id: string): Promise<void> {
  const digest = await digestOf(origin, id)
  await alone(async (cache, key) => cache.delete(await nameOf(digest, key)))
}
