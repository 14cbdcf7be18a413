/**
 * The server's clock, in milliseconds since 1970, as the header `Date` of a short answer tells it; undefined where no answer
 * came from there.
 */
export async function serverTime(): Promise<number | undefined> {
  try {
    // The service worker lets a HEAD through, and no cache answers it.
    const { ok, headers } = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' })
    const date = Date.parse(headers.get('Date') ?? '')
    if (!ok || Number.isNaN(date)) return undefined
    // A cache on the way says how long ago that was, in seconds.
    const age = Number(headers.get('Age') ?? 0)
    return date + (Number.isFinite(age) ? age * 1000 : 0)
  } catch {
    return undefined
  }
}
