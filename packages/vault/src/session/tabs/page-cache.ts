/** What to do when a page enters or leaves the browser's back/forward cache. */
export interface Rests {
  /** The page is about to be cached. Work started here only runs until it first waits for the browser. */
  rest(): void
  /** It's back, as it was. */
  wake(): void
}

const isPersisted = (event: Event) => 'persisted' in event && event.persisted === true

/**
 * Calls back when a page enters the back/forward cache and when it returns. While cached its timers stop but its
 * SharedWorker can live on for minutes, so an open vault would stay open past its time.
 * @returns stops listening
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
