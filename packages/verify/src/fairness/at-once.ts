// Where no request can wait for another one.
import type { Lanes } from './lanes.ts'

/**
 * Whether a timer ends with the request that started it, as in workerd. There, a call that waits for its turn could wait for
 * ever: the request whose timer would wake it was answered long before.
 */
export const endTimersWithRequests = () =>
  Object(Object(globalThis).navigator).userAgent === 'Cloudflare-Workers'

/** Checks every token at once, in the request that brought it: strangers aren't kept waiting. */
export function atOnce<Checker>(checker: Checker): Pick<Lanes<Checker>, 'run' | 'close'> {
  return { run: (_text, _address, check) => check(checker), close: () => {} }
}
