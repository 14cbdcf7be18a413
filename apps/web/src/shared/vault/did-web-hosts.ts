import { HOSTS_META } from './hosts-meta.js'

const KEY = 'keyhole:did-web-hosts'

/** The hosts that this Keyhole's operator lets it ask. The pages' policy blocks all others. */
export function offeredHosts(): readonly string[] {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${HOSTS_META}"]`)
  return (meta?.content ?? '').split(' ').filter((host) => host !== '')
}

/** Whether the enclave can wait for an answer in this browser (JSPI). */
export function canAskHosts(): boolean {
  return 'Suspending' in WebAssembly
}

/** The hosts that were allowed in this browser. None by default. */
export function allowedHosts(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? offeredHosts().filter((host) => stored.includes(host)) : []
  } catch {
    // Without valid storage, ask no one.
    return []
  }
}

/** Saves in this browser which hosts may be asked. @returns whether it could be stored */
export function rememberHosts(hosts: readonly string[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(hosts))
    return true
  } catch {
    return false
  }
}
