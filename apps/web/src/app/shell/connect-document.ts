/** Where the document is that apps on other origins open. It alone keeps its opener (server/headers.js), and is no route. */
export const CONNECT_PATH = '/connect'

/** Where the demo's app is, which opens that one. It alone keeps the windows that it opens, and is no route either. */
export const DEMO_APP_PATH = '/demo-app'

const OWN = [CONNECT_PATH, DEMO_APP_PATH]

/**
 * Whether a place takes another document than the one at hand: what an app has opened, and the demo's app, show nothing else of the
 * client, and are themselves shown nowhere else.
 */
export function isElsewhere(here: string, there: string): boolean {
  return OWN.some((path) => (here === path) !== (there === path))
}
