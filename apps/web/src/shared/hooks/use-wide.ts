import { useSyncExternalStore } from 'react'

/** From here on two columns fit side by side: `lg` of the design. */
const WIDE = '(min-width: 64rem)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window has room for two columns. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  )
}
