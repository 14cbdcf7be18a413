import { type ReactNode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { repeatEarlyPress } from './early-press.ts'
import { unmarkOwner } from './owner.ts'
import { showTypeface } from './typeface.ts'

/** Resolves once nothing is being pressed. A press that started on the prerendered page must also end on it to count. */
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

/** A random prefix for the ids of fields and folds, so that no one who links to or opens this page can name one after a # to open it. */
const unguessable = () => crypto.getRandomValues(new Uint32Array(4)).join('')

/**
 * Replaces the prerendered page with React. Keeps the focus, what was typed and selected, and folds open, and repeats an early press. Resolves when
 * React's page is there. It is rendered in small steps so that the page stays responsive.
 */
export function takeOver(root: HTMLElement, view: ReactNode): Promise<void> {
  const stops = () => [...root.querySelectorAll<HTMLElement>('a, button, summary, input, textarea')]
  let [focused, active] = [-1, document.activeElement]
  const note = () => {
    active = document.activeElement
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
  let typed: readonly (string | undefined)[] = []
  const noteTyped = () => {
    typed = fields(root).map(({ value, defaultValue }) => (value === defaultValue ? undefined : value))
  }
  noteTyped()
  root.addEventListener('input', noteTyped)
  // What is read already stays where it is; for an owner the frame alone was drawn.
  const isRead = !('owner' in document.documentElement.dataset) && root.querySelector('main h1') !== null
  const client = createRoot(root, { identifierPrefix: unguessable() })
  return new Promise((resolve) => {
    const onThere = () => {
      if (!isRead) showTypeface()
      unmarkOwner()
      root.removeEventListener('focusin', note)
      root.removeEventListener('toggle', noteFolds, { capture: true })
      root.removeEventListener('input', noteTyped)
      for (const [index, field] of fields(root).entries()) retype(field, typed[index])
      for (const [index, fold] of folds().entries()) fold.open ||= unfolded[index] === true
      const stop = stops()[focused]
      stop?.focus()
      select(stop, active)
      resolve()
      // After this render: the press may open something else.
      setTimeout(() => repeatEarlyPress(root))
    }
    released().then(() => startTransition(() => client.render(<There onThere={onThere}>{view}</There>)))
  })
}

const fields = (root: HTMLElement) => [...root.querySelectorAll<HTMLInputElement>('input, textarea')]

/** Types in a field of React's what was typed before, as a person would. */
function retype(field: HTMLInputElement, text: string | undefined): void {
  if (text === undefined) return
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Selects in a field what is selected in the one it replaces, which knows that also when it's no longer in the page. */
function select(field: Element | undefined, before: Element | null): void {
  if (!(field instanceof HTMLInputElement && before instanceof HTMLInputElement)) return
  const { selectionStart: start, selectionEnd: end } = before
  // Fields for numbers and addresses have none.
  if (start !== null) field.setSelectionRange(start, end)
}

function There({ onThere, children }: { onThere: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first page is drawn
  useLayoutEffect(onThere, [])
  return children
}
