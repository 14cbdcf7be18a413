/** The server's clock, in milliseconds since 1970, from the `Date` header of a short answer. Undefined if the server didn't answer. */
export async function serverTime(): Promise<number | undefined> {
  try {
    // The service worker lets a HEAD through, and no cache answers it.
    const { ok, headers } = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' })
    const date = Date.parse(headers.get('Date') ?? '')
    if (!ok || Number.isNaN(date)) return undefined
    // A cache on the way reports the answer's age in seconds.
    const age = Number(headers.get('Age') ?? 0)
    return date + (Number.isFinite(age) ? age * 1000 : 0)
  } catch {
    return undefined
  }
}
