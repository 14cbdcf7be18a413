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

/**
 * The name of the store of the server's relay, which changes when the relay gets another one; undefined if the server says that it has no
 * relay. A static host has none and is not asked for one. @throws as `fetch` does
 */
export async function relayStore(): Promise<string | undefined> {
  const { headers } = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' })
  const relay = headers.get('Keyhole-Relay')
  return relay === null ? undefined : (/;\s*store=([\w-]+)/.exec(relay)?.[1] ?? '')
}

/** Whether the server says that it has a relay. @throws as `fetch` does */
export async function hasRelay(): Promise<boolean> {
  return (await relayStore()) !== undefined
}
