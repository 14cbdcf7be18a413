/**
 * Resolves once the browser has painted what the page came with (W3C Paint Timing, `first-contentful-paint`): what is fetched and
 * run after it keeps nobody from reading. At once where nothing is painted, in a hidden tab, or where the browser does not tell.
 */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) return resolve()
    const observer = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName('first-contentful-paint').length > 0) done()
    })
    const done = () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
    observer.observe({ type: 'paint', buffered: true })
    document.addEventListener('visibilitychange', done)
  })
}
