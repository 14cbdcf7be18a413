import type { Presses } from './presses.ts'

/** Listens before anything else in the page does. */
const HOW = { capture: true, passive: true }

/** Whether the key presses the focused element. */
export const isPress = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '

/** The button that an event happened on. */
export function buttonOf({ target }: Event): HTMLButtonElement | undefined {
  return (target instanceof Element ? target.closest('button') : null) ?? undefined
}

interface Watching {
  /** Ends it. */
  readonly signal: AbortSignal
  /** The watched button that an event happened on. */
  readonly on: (event: Event) => EventTarget | undefined
  /** Called for a press that starts while presses don't count. */
  readonly onEarly: () => void
}

/** Reports the window's presses to `presses`. */
export function watchPresses(presses: Presses, { signal, on, onEarly }: Watching): void {
  const how = { ...HOW, signal }
  addEventListener(
    'pointerdown',
    (event) => {
      if (!presses.isTaken) onEarly()
      presses.pointerDown(on(event))
    },
    how,
  )
  addEventListener(
    'keydown',
    (event) => {
      if (!isPress(event)) return
      if (!presses.isTaken) onEarly()
      presses.keyDown(event.code, event.repeat, on(event))
    },
    how,
  )
  addEventListener('keyup', ({ code }) => setTimeout(presses.keyUp(code)), how)
  addEventListener('blur', () => presses.leave(), { signal })
}
