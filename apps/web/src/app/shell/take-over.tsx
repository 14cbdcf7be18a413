import { type ReactNode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { repeatEarlyPress } from './early-press.ts'
import { showTypeface } from './typeface.ts'

/** Resolves once nothing is being pressed: a press that began on what the page came with ends on it, and counts. */
function released(): Promise<void> {
  if (document.querySelector(':active') === null) return Promise.resolve()
  return new Promise((resolve) => {
    const over = new AbortController()
    const { signal } = over
    const end = () => {
      over.abort()
      resolve()
    }
    for (const sign of ['pointerup', 'pointercancel', 'keyup', 'blur'])
      addEventListener(sign, end, { capture: true, signal })
  })
}

/** Before the ids of fields and folds: nobody who opened this page, or leads to it, can name one behind a # and have it opened. */
const unguessable = () => crypto.getRandomValues(new Uint32Array(4)).join('')

/**
 * Puts React in the place of what the page came with, and with the focus at the same link if it was at one, what was unfolded still so,
 * and the button pressed that was pressed too early. Resolves when it stands there. It is drawn in small steps, so that the page answers meanwhile.
 */
export function takeOver(root: HTMLElement, view: ReactNode): Promise<void> {
  const stops = () => [...root.querySelectorAll<HTMLElement>('a, button, summary')]
  let focused = -1
  const note = () => {
    const active = document.activeElement
    focused = active instanceof HTMLElement ? stops().indexOf(active) : -1
  }
  note()
  root.addEventListener('focusin', note)
  const folds = () => [...root.querySelectorAll('details')]
  let unfolded: readonly boolean[] = []
  const noteFolds = () => {
    unfolded = folds().map(({ open }) => open)
  }
  noteFolds()
  root.addEventListener('toggle', noteFolds, { capture: true })
  const client = createRoot(root, { identifierPrefix: unguessable() })
  return new Promise((resolve) => {
    const onThere = () => {
      showTypeface()
      root.removeEventListener('focusin', note)
      root.removeEventListener('toggle', noteFolds, { capture: true })
      for (const [index, fold] of folds().entries()) fold.open ||= unfolded[index] === true
      stops()[focused]?.focus()
      resolve()
      // Past the drawing: what it opens is another.
      setTimeout(() => repeatEarlyPress(root))
    }
    released().then(() => startTransition(() => client.render(<There onThere={onThere}>{view}</There>)))
  })
}

function There({ onThere, children }: { onThere: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first page is drawn
  useLayoutEffect(onThere, [])
  return children
}
