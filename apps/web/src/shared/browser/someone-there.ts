/** Signs that someone is using the page. */
const SIGNS = [
  'pointermove',
  'pointerdown',
  'keydown',
  'focusin',
  'dragenter',
  'scroll',
  'wheel',
  'beforeprint',
] as const

/** Calls `act` at the first sign that someone is using the page. @returns the unsubscribe function */
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
