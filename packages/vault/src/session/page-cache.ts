/** What is to be done around a page's time in the browser's cache of whole pages. */
export interface Rests {
  /** The page is about to be put away. What it begins here gets no further than its first wait for the browser. */
  rest(): void
  /** It is back, as it was. */
  wake(): void
}

const isPersisted = (event: Event) => 'persisted' in event && event.persisted === true

/**
 * Hears when a page goes into the back/forward cache, and when it comes back. In there its timers stand still while its
 * SharedWorker lives on, for minutes: an open vault would stay open past its time.
 *
 * @returns stops
 */
export function hearCache(page: EventTarget | undefined, { rest, wake }: Rests): () => void {
  if (typeof page?.addEventListener !== 'function') return () => undefined
  const hide = (event: Event) => isPersisted(event) && rest()
  const show = (event: Event) => isPersisted(event) && wake()
  page.addEventListener('pagehide', hide)
  page.addEventListener('pageshow', show)
  return () => {
    page.removeEventListener('pagehide', hide)
    page.removeEventListener('pageshow', show)
  }
}
