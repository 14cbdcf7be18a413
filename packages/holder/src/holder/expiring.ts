// Telling that grants end soon. A timer is a hint: the clock decides, so that a laptop that slept is told when it wakes.
import type { Grant } from '../grants/grant.ts'

/** How long before its end a grant is told of where the caller does not say, in seconds. */
const DEFAULT_WITHIN = 3_600
/** The longest wait between two looks, in milliseconds: others may put grants into the store, and clocks are set. */
const LOOK = 600_000

export interface ExpiringOptions {
  /** Seconds before the end. Default: an hour. */
  readonly within?: number
  /** Ends the telling, as what is returned does. */
  readonly signal?: AbortSignal
}

/** Calls `tell` once for each grant that ends within so many seconds. @returns what has it look again at once, and what ends it */
export function watchExpiring(
  grants: () => Promise<readonly Grant[]>,
  now: () => number,
  tell: (grant: Grant) => void,
  { within = DEFAULT_WITHIN, signal }: ExpiringOptions = {},
): { readonly look: () => void; readonly stop: () => void } {
  const told = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let looks = 0
  const look = async () => {
    looks += 1
    const own = looks
    // A store that fails now is asked again with the next look.
    const found = await grants().catch(() => [])
    if (isOver || own !== looks) return
    let wait = LOOK
    for (const grant of found) {
      const left = ((grant.expiresAt ?? Infinity) - within - now()) * 1_000
      if (left > 0) wait = Math.min(wait, left)
      else if (grant.state !== 'expired' && !told.has(grant.cid)) {
        told.add(grant.cid)
        tell(grant)
      }
    }
    clearTimeout(timer)
    timer = setTimeout(look, wait)
    // Nothing is kept running for it, where that can be said.
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
