const KEY = 'keyhole:relay'

/** Whether revocations are sent to this vault's relay, if there is one. On until the owner turns it off in this browser. */
export function isRelayOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    // Without storage, send nothing: the owner may have turned it off.
    return false
  }
}

/** Turns it on or off. @returns whether it could be stored */
export function turnRelay(on: boolean): boolean {
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
    return true
  } catch {
    return false
  }
}

/** Whether the server says that it has a relay. A static host has none and is not asked for one. @throws as `fetch` does */
export async function hasRelay(): Promise<boolean> {
  const { headers } = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' })
  return headers.get('Keyhole-Relay') !== null
}
