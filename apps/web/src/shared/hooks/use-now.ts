import { useSyncExternalStore } from 'react'

const STEP = 10_000
/** What has just come on the page is not told by an older clock than this. */
const STALE = 1_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, STEP)
    // A tab that slept catches up the moment it is looked at.
    document.addEventListener('visibilitychange', tick)
  } else if (Date.now() - now > STALE) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The time in milliseconds, to ten seconds: one clock for everything on the page that says "in 3 hours". */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
