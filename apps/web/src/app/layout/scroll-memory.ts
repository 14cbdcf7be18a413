/** What a page is made of comes within this time, in milliseconds, or its reader has begun to read elsewhere. */
const PATIENCE = 10_000
/** Whoever does one of these has moved on. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Goes back to a place on a page while the page still grows: its frame is there at once, its tabs and lists come later, and
 * until then there may be nowhere to scroll to.
 * @param y pixels from the top
 * @returns gives it up, for another page
 */
export function scrollAsItGrows(y: number): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const reach = () => {
    scrollTo(0, y)
    if (Math.abs(scrollY - y) < 1) stop.abort()
  }
  const growth = new ResizeObserver(reach)
  const timer = setTimeout(() => stop.abort(), PATIENCE)
  signal.addEventListener('abort', () => {
    growth.disconnect()
    clearTimeout(timer)
  })
  for (const move of MOVES) {
    addEventListener(move, () => stop.abort(), { passive: true, capture: true, signal })
  }
  growth.observe(document.body)
  return () => stop.abort()
}
