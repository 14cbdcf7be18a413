import type { Presses } from './presses.ts'
import type { Sight } from './sight.ts'
import { buttonOf, isPress, watchPresses } from './watch-presses.ts'

/**
 * How long something must have been visible before it can be approved, in milliseconds: too long for a click meant for what was there
 * before.
 */
export const MOMENT = 800

/** The visible share that counts as whole. Fractions of pixels can be cut off. */
const WHOLE = 0.99

/** Space to leave above what is scrolled into view, for the page's own header, in pixels. */
const HEADER = 80

/** The visible shares at which the browser reports a change. */
const STEPS = [...Array.from({ length: 20 }, (_, step) => step / 20), WHOLE, 1]

interface ToKeep {
  /** What is approved. All of it must have been visible. */
  readonly subject: Element
  /** The answers, and who gets them. They must be completely visible the whole time. */
  readonly block: Element
  readonly presses: Presses
  /** The parts of the subject that have been visible so far. */
  readonly sight: Sight
  readonly onChange: (isArmed: boolean) => void
}

/**
 * Enables the answers once their subject has been visible and they themselves have been visible for a moment, in a window in front. The
 * moment starts again after anything that may have moved them, and after every press that comes too early. Such a press on the button
 * scrolls the missing part into view.
 * @returns stops it, and disables the answers
 */
export function keepArming({ subject, block, presses, sight, onChange }: ToKeep): () => void {
  const over = new AbortController()
  const { signal } = over
  const how = { capture: true, passive: true, signal }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWhole = false

  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    if (presses.isTaken) onChange(false)
    presses.stop()
  }
  const look = () => {
    const isInFront = document.visibilityState === 'visible' && document.hasFocus()
    if (sight.missing !== undefined || !isWhole || !isInFront) return stop()
    if (presses.isTaken) return
    timer ??= setTimeout(() => {
      presses.take()
      onChange(true)
    }, MOMENT)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.target === block) isWhole = entry.intersectionRatio >= WHOLE
        else noteSight(sight, entry)
      }
      look()
    },
    { threshold: STEPS },
  )
  const begin = () => {
    stop()
    isWhole = false
    // When observed again, each reports its current position.
    observer.disconnect()
    observer.observe(subject)
    observer.observe(block)
  }
  const pressedOn = (event: Event) => {
    const button = buttonOf(event)
    return button && block.contains(button) ? button : undefined
  }
  /** A press that came too early shows what is missing. */
  const tooEarly = (event: Event) => {
    if (presses.isTaken || !pressedOn(event)) return
    const { missing } = sight
    if (missing !== undefined) show(subject, missing)
    else if (!isWhole) block.scrollIntoView({ block: 'center' })
  }

  begin()
  // Any box on the page may scroll. Only focus on the window itself counts, not on its buttons.
  for (const sign of ['scroll', 'resize', 'hashchange'] as const) addEventListener(sign, begin, how)
  document.addEventListener('visibilitychange', begin, how)
  addEventListener('focus', begin, { signal })
  watchPresses(presses, { signal, on: pressedOn, onEarly: begin })
  addEventListener('blur', begin, { signal })
  addEventListener('keydown', (event) => isPress(event) && tooEarly(event), how)
  addEventListener('click', tooEarly, how)
  return () => {
    over.abort()
    observer.disconnect()
    stop()
  }
}

/** Scrolls to the part that has not been visible, at this many pixels from its top. */
function show(subject: Element, missing: number): void {
  const { top, height } = subject.getBoundingClientRect()
  if (height < innerHeight - 2 * HEADER) subject.scrollIntoView({ block: 'center' })
  else scrollBy({ top: top + missing - HEADER })
}

function noteSight(
  sight: Sight,
  { boundingClientRect: whole, intersectionRect: part }: IntersectionObserverEntry,
) {
  sight.note(whole.height, part.top - whole.top, part.height === 0 ? 0 : part.bottom - whole.top)
}
