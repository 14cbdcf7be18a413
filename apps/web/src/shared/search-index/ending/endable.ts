import type { ToWorker } from '../token-messages.ts'

/** How long a worker may take to end its transactions, in milliseconds. */
const PATIENCE = 2_000

/**
 * Lets a worker end itself: in WebKit, one that is terminated while it reads from IndexedDB can leave its transactions behind, and all later
 * ones wait for them (088). It is terminated if it takes too long, and at once when the page is left, which gives it no more time.
 * @returns has it end
 */
export function endable(worker: Pick<Worker, 'postMessage' | 'terminate'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cut = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', cut)
    worker.terminate()
  }
  addEventListener('pagehide', cut)
  return () => {
    timer = setTimeout(cut, PATIENCE)
    worker.postMessage({ do: 'end' } satisfies ToWorker)
  }
}
