import { useSyncExternalStore } from 'react'

const STEP = 10_000
/** If the clock is older than this, a new listener updates it first. */
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
    // A tab that slept catches up as soon as it is visible.
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

/** The time in milliseconds, updated every ten seconds: one clock for everything on the page that says "in 3 hours". */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  )
}
