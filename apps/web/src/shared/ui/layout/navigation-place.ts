/** What a person takes for one page, wherever its address says that it is. */
export type Place =
  | 'home'
  | 'grants'
  | 'payments'
  | 'activity'
  | 'settings'
  | 'check'
  | 'search'
  | 'vault'
  | 'demo'
  | 'demo-app'
  | 'connect'

const PATHS: Readonly<Record<string, Place>> = {
  '/': 'home',
  '/identity': 'settings',
  '/payment': 'payments',
  '/search': 'search',
  '/register': 'vault',
  '/demo': 'demo',
  '/demo-app': 'demo-app',
  '/connect': 'connect',
}

/** The parts of /identity that are not settings, as `tab` in its address names them. */
const PARTS: Readonly<Record<string, Place>> = {
  grants: 'grants',
  received: 'grants',
  requests: 'grants',
  contacts: 'grants',
  ask: 'grants',
  activity: 'activity',
  check: 'check',
}

/**
 * The place that an address leads to; undefined where there is no page.
 * @param tab of the address, whatever it is
 */
export function placeAt(pathname: string, tab: unknown): Place | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const place = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  if (place !== 'settings' || typeof tab !== 'string') return place
  return Object.hasOwn(PARTS, tab) ? PARTS[tab] : place
}
