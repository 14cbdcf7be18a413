import { HOSTS_META } from './hosts-meta.js'

const KEY = 'keyhole:did-web-hosts'

/** The hosts that whoever runs this Keyhole lets it ask: the pages' policy stops every other request. */
export function offeredHosts(): readonly string[] {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${HOSTS_META}"]`)
  return (meta?.content ?? '').split(' ').filter((host) => host !== '')
}

/** Whether the enclave of this browser can wait for an answer (JSPI). */
export function canAskHosts(): boolean {
  return 'Suspending' in WebAssembly
}

/** Those of them that were allowed in this browser: none, until somebody does. */
export function allowedHosts(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? offeredHosts().filter((host) => stored.includes(host)) : []
  } catch {
    // Without storage, or with something else in it, nobody is asked.
    return []
  }
}

/** Remembers in this browser which hosts may be asked. @returns whether it could be stored */
export function rememberHosts(hosts: readonly string[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(hosts))
    return true
  } catch {
    return false
  }
}
