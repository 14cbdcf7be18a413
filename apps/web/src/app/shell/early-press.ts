/** How long the effect of an early press is still expected, in milliseconds. */
const WANTED = 5_000

let heard: { name: string; at: number } | undefined

const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent

const note = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button:disabled') : null
  heard = button ? { name: nameOf(button), at: performance.now() } : undefined
}

/** The browser would send a prerendered form, and with it what was typed; or open a file in place of the page. */
const hold = (event: Event) => event.preventDefault()
const HELD = ['submit', 'dragenter', 'dragover', 'drop'] as const

let dropped: readonly File[] = []
const noteDropped = ({ dataTransfer }: DragEvent) => {
  dropped = [...(dataTransfer?.files ?? [])]
}

/** Records presses on the prerendered buttons, which wait for React. People often press one before anything else. */
export function hearEarlyPresses(): void {
  addEventListener('pointerup', note, { capture: true, passive: true })
  addEventListener('drop', noteDropped)
  for (const name of HELD) addEventListener(name, hold)
}

/** Repeats the last early press, if the button is still there under the same name and enabled. */
export function repeatEarlyPress(root: ParentNode): void {
  removeEventListener('pointerup', note, { capture: true })
  removeEventListener('submit', hold)
  const press = heard
  heard = undefined
  if (!press || performance.now() - press.at > WANTED) return
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('button:enabled')]
  buttons.find((button) => nameOf(button) === press.name)?.click()
}

/** The files that were dropped before the client could take them. From now on it does. */
export function takeEarlyDrop(): readonly File[] {
  removeEventListener('drop', noteDropped)
  for (const name of HELD) if (name !== 'submit') removeEventListener(name, hold)
  const early = dropped
  dropped = []
  return early
}
