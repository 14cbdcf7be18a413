/** For how long the answer to a press is still what was wanted, in milliseconds. */
const WANTED = 5_000

let heard: { name: string; at: number } | undefined

const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent

const note = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button:disabled') : null
  heard = button ? { name: nameOf(button), at: performance.now() } : undefined
}

/** Hears presses on the buttons that the page came with, which wait for React: the first touch on a page is often one of them. */
export function hearEarlyPresses(): void {
  addEventListener('pointerup', note, { capture: true, passive: true })
}

/** Presses the button that was pressed last before React stood there, where it is still there by its name and may be pressed. */
export function repeatEarlyPress(root: ParentNode): void {
  removeEventListener('pointerup', note, { capture: true })
  const press = heard
  heard = undefined
  if (!press || performance.now() - press.at > WANTED) return
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('button:enabled')]
  buttons.find((button) => nameOf(button) === press.name)?.click()
}
