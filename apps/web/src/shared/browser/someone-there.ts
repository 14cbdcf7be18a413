/** Signs that somebody is at the page. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll', 'wheel', 'beforeprint'] as const

/** Calls `act` when somebody is at the page: at their first movement, whatever it is. @returns the unsubscribe */
export function whenSomeoneIsThere(act: () => void): () => void {
  const there = new AbortController()
  const { signal } = there
  const once = () => {
    there.abort()
    act()
  }
  for (const sign of SIGNS) addEventListener(sign, once, { passive: true, capture: true, signal })
  return () => there.abort()
}
