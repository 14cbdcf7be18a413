/** In milliseconds. */
const LONGEST = 3_000

/**
 * Resolves once the browser has painted the prerendered page (W3C Paint Timing, `first-contentful-paint`), so that loading more doesn't
 * delay reading. Resolves at once in a hidden tab, and where the browser doesn't report paints. Also resolves after {@link LONGEST}: some
 * browsers hide the entry (privacy settings), and the client must start there too.
 */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const tells = globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')
    if (document.hidden || !tells) return resolve()
    const observer = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName('first-contentful-paint').length > 0) done()
    })
    const done = () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', done)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, LONGEST)
    observer.observe({ type: 'paint', buffered: true })
    document.addEventListener('visibilitychange', done)
  })
}
