/** Events after which a page may have slept: shown again, focused, restored from the cache, or resumed. */
const BACK = ['visibilitychange', 'focus', 'pageshow', 'resume'] as const

/**
 * Calls `back` when the page may have been asleep. Listens in the capture phase, so it also sees events fired on the
 * document.
 * @returns stops listening
 */
export function hearPage(page: EventTarget | undefined, back: () => void): () => void {
  if (typeof page?.addEventListener !== 'function') return () => undefined
  for (const name of BACK) page.addEventListener(name, back, { capture: true })
  return () => {
    for (const name of BACK) page.removeEventListener(name, back, { capture: true })
  }
}
