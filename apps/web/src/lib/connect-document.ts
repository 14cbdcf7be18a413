/** Where the document is that apps on other origins open. It alone keeps its opener (server/headers.js), and is no route. */
export const CONNECT_PATH = '/connect'

/**
 * Whether a place takes another document than the one at hand: what an app has opened shows nothing else of the client, and is itself
 * shown nowhere else.
 */
export function isElsewhere(here: string, there: string): boolean {
  return (here === CONNECT_PATH) !== (there === CONNECT_PATH)
}
