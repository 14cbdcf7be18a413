/** The edges of something on screen, in pixels from the window's top left corner. */
export interface Edges {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Between notices and what they stay clear of. */
const GAP = 8

/** The buttons that a page is for (`button-class.ts`), and the bar that also says what will be signed. */
const ACTIONS = '.kh-act'
const BARS = '[data-signing-bar]'

/**
 * How far up notices move so that they cover nothing that must stay in view.
 * @param notices where they lie at rest
 * @returns pixels; undefined if there is no such place in the window
 */
export function liftOver(notices: Edges, inView: readonly Edges[]): number | undefined {
  const beside = inView.filter((each) => each.right > notices.left && each.left < notices.right)
  const height = notices.bottom - notices.top
  const bottoms = [notices.bottom, ...beside.map(({ top }) => top - GAP)]
    .filter((bottom) => bottom <= notices.bottom && bottom - height >= 0)
    .sort((a, b) => b - a)
  const free = bottoms.find((bottom) =>
    beside.every((each) => each.top >= bottom || each.bottom <= bottom - height),
  )
  return free === undefined ? undefined : notices.bottom - free
}

function edgesOf(selector: string): DOMRect[] {
  return [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => each.getBoundingClientRect())
    .filter(({ top, bottom }) => bottom > 0 && top < innerHeight)
}

/** Moves notices clear of the sentence and the buttons; where there is no room for both, of the buttons. */
function moveClear(notices: HTMLElement): void {
  notices.style.translate = 'none'
  const at = notices.getBoundingClientRect()
  const actions = edgesOf(ACTIONS)
  const lift = liftOver(at, [...actions, ...edgesOf(BARS)]) ?? liftOver(at, actions) ?? 0
  // Moving it by its place would count as a shift of the layout.
  notices.style.translate = `0 ${-lift}px`
}

/** Keeps notices clear of a page's actions while the page scrolls and changes. @returns stops it */
export function keepClear(notices: HTMLElement): () => void {
  let frame = 0
  const again = () => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      moveClear(notices)
    })
  }
  const stop = new AbortController()
  const options = { capture: true, passive: true, signal: stop.signal } as const
  for (const type of ['scroll', 'resize', 'animationend', 'transitionend', 'toggle'])
    addEventListener(type, again, options)
  const sizes = new ResizeObserver(again)
  sizes.observe(notices)
  sizes.observe(document.body)
  const changes = new MutationObserver(again)
  changes.observe(document.body, { childList: true, characterData: true, subtree: true })
  moveClear(notices)
  return () => {
    stop.abort()
    sizes.disconnect()
    changes.disconnect()
    cancelAnimationFrame(frame)
  }
}
