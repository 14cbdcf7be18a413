import { type ReactNode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * Puts React in the place of what the page came with: in small steps, so that the page answers meanwhile, and with the focus at
 * the same link if it was at one. Resolves when it stands there.
 */
export function takeOver(root: HTMLElement, view: ReactNode): Promise<void> {
  const stops = () => [...root.querySelectorAll<HTMLElement>('a, button')]
  let focused = -1
  const note = () => {
    focused = stops().findIndex((stop) => stop === document.activeElement)
  }
  note()
  root.addEventListener('focusin', note)
  return new Promise((resolve) => {
    const onThere = () => {
      root.removeEventListener('focusin', note)
      stops()[focused]?.focus()
      resolve()
    }
    startTransition(() => createRoot(root).render(<There onThere={onThere}>{view}</There>))
  })
}

function There({ onThere, children }: { onThere: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first page is drawn
  useLayoutEffect(onThere, [])
  return children
}
