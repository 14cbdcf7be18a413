/** The document that apps on other origins open. Only this one keeps its opener (server/headers.js), and it isn't a route. */
export const CONNECT_PATH = '/connect'

/** The demo's app, which opens that document. Only this one keeps the windows it opens, and it isn't a route either. */
export const DEMO_APP_PATH = '/demo-app'

const OWN = [CONNECT_PATH, DEMO_APP_PATH]

/**
 * Whether an address needs a different document from the current one. A window opened by an app, and the demo's app, show nothing else of
 * the client, and the rest of the client doesn't show them.
 */
export function isElsewhere(here: string, there: string): boolean {
  return OWN.some((path) => (here === path) !== (there === path))
}
