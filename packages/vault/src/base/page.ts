/** When a page may have slept: shown again, brought to the front, come back from the cache, or thawed. */
const BACK = ['visibilitychange', 'focus', 'pageshow', 'resume'] as const

/**
 * Hears when a page is back. By capture, since what happens to a document reaches its window so everywhere.
 *
 * @returns stops
 */
export function hearPage(page: EventTarget | undefined, back: () => void): () => void {
  if (typeof page?.addEventListener !== 'function') return () => undefined
  for (const name of BACK) page.addEventListener(name, back, { capture: true })
  return () => {
    for (const name of BACK) page.removeEventListener(name, back, { capture: true })
  }
}
