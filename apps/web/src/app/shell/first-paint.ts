/** In milliseconds. */
const LONGEST = 3_000

/**
 * Resolves once the browser has painted what the page came with (W3C Paint Timing, `first-contentful-paint`): what is fetched and
 * run after it keeps nobody from reading. At once where nothing is painted, in a hidden tab, or where the browser does not tell; and
 * after {@link LONGEST} whatever it tells: some keep the entry from pages (privacy settings), and the client has to start there too.
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
