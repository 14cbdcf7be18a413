import type { Presses } from './presses.ts'
import type { Sight } from './sight.ts'

/** For how long something must have been in sight before it can be approved, in milliseconds: longer than a click meant for what was there before. */
const MOMENT = 800

/** How much of what is wholly in sight is: pixels are cut in parts. */
const WHOLE = 0.99

/** How much of a window is left above what is brought into sight: the page's own header, in pixels. */
const HEADER = 80

/** At which parts of something a browser says that more or less of it is in sight. */
const STEPS = [...Array.from({ length: 20 }, (_, step) => step / 20), WHOLE, 1]

interface ToKeep {
  /** What is approved: all of it has to have been in sight. */
  readonly subject: Element
  /** The answers, and for whom they are: have to be wholly in sight all the while. */
  readonly block: Element
  readonly presses: Presses
  /** What of the subject has been in sight so far. */
  readonly sight: Sight
  readonly onChange: (isArmed: boolean) => void
}

/**
 * Has answers taken once what they are to has been in sight, and they themselves have been for a moment, in a window that is in front.
 * The moment begins anew with whatever may have moved them, and with every press that comes before it is over; such a press on the
 * button brings into sight what is missing.
 *
 * @returns ends it: no answer is taken any more
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
    // Observed anew, each says at once where it is now.
    observer.disconnect()
    observer.observe(subject)
    observer.observe(block)
  }
  const pressedOn = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null
    return button !== null && block.contains(button) ? button : undefined
  }
  /** What was pressed too early: what is missing is shown. */
  const tooEarly = (event: Event) => {
    if (presses.isTaken || !pressedOn(event)) return
    const { missing } = sight
    if (missing !== undefined) show(subject, missing)
    else if (!isWhole) block.scrollIntoView({ block: 'center' })
  }

  begin()
  // Scrolled may be any box in the page; focused is the window, and no button in it.
  for (const sign of ['scroll', 'resize', 'hashchange'] as const) addEventListener(sign, begin, how)
  document.addEventListener('visibilitychange', begin, how)
  addEventListener('focus', begin, { signal })
  addEventListener(
    'blur',
    () => {
      presses.leave()
      begin()
    },
    { signal },
  )
  addEventListener(
    'pointerdown',
    (event) => {
      if (!presses.isTaken) begin()
      presses.pointerDown(pressedOn(event))
    },
    how,
  )
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      if (!presses.isTaken) begin()
      presses.keyDown(event.code, event.repeat, pressedOn(event))
      tooEarly(event)
    },
    how,
  )
  addEventListener('keyup', ({ code }) => setTimeout(presses.keyUp(code)), how)
  addEventListener('click', tooEarly, how)
  return () => {
    over.abort()
    observer.disconnect()
    stop()
  }
}

/** Brings into sight what of something has not been, so many pixels from its top. */
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
