// Tells when grants are about to expire. Timers are only hints: the clock decides, so that a laptop that slept is told
// when it wakes.
import type { Grant } from '../grants/grant.ts'

/** How long before its expiry to report a grant by default, in seconds. */
const DEFAULT_WITHIN = 3_600
/** The longest wait between two checks, in milliseconds: others may add grants to the store, and clocks get set. */
const LOOK = 600_000

export interface ExpiringOptions {
  /** Seconds before the expiry. Default: an hour. */
  readonly within?: number
  /** Stops watching, like the returned function. */
  readonly signal?: AbortSignal
}

/**
 * Calls `tell` once for each grant that expires within this time. @returns functions to check again at once, and to
 * stop
 */
export function watchExpiring(
  grants: () => Promise<readonly Grant[]>,
  now: () => number,
  tell: (grant: Grant) => void,
  { within = DEFAULT_WITHIN, signal }: ExpiringOptions = {},
): { readonly look: () => void; readonly stop: () => void } {
  /** Whether each is still to be reported. One that had expired when it was first looked at is not in it. */
  const due = new Map<string, boolean>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let looks = 0
  const look = async () => {
    looks += 1
    const own = looks
    // If the store fails now, the next check tries again.
    const found = await grants().catch(() => [])
    if (isOver || own !== looks) return
    let wait = LOOK
    for (const grant of found) {
      const left = ((grant.expiresAt ?? Infinity) - within - now()) * 1_000
      if (grant.state !== 'expired' && !due.has(grant.cid)) due.set(grant.cid, true)
      if (left > 0) wait = Math.min(wait, left)
      // A timer that comes late, as in a tab in the background, finds it expired.
      else if (due.get(grant.cid)) {
        due.set(grant.cid, false)
        tell(grant)
      }
    }
    clearTimeout(timer)
    timer = setTimeout(look, wait)
    // The timer shouldn't keep the process alive, if the platform supports that.
    if (typeof timer === 'object') timer.unref()
  }
  const stop = () => {
    isOver = true
    clearTimeout(timer)
  }
  signal?.addEventListener('abort', stop)
  if (!signal?.aborted) void look()
  return { look, stop }
}
