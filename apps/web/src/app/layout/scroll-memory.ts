/** How long to wait for the page to grow, in milliseconds. After that the reader has started somewhere else. */
const PATIENCE = 10_000
/** These mean that the reader has moved on. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to a position while the page is still growing. Its frame is there at once, but tabs and lists come later, and until then the
 * position may not exist.
 * @param y pixels from the top
 * @returns a function that stops it, for another page
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
