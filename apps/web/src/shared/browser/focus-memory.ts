/** What takes the focus of something that has stood in it and is gone, the nearest first. */
const REGIONS = '[role=dialog], [role=alertdialog], [role=tabpanel], main'

/** The regions around an element, from the inside out. */
function regionsOf(element: Element): HTMLElement[] {
  const region = element.closest(REGIONS)
  if (!(region instanceof HTMLElement)) return []
  return [region, ...(region.parentElement ? regionsOf(region.parentElement) : [])]
}

/** Calls `work` once the page has been drawn twice: what takes the focus by itself has had its turn then. */
function afterDrawing(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work))
}

/**
 * Keeps the keyboard's place. Browsers let the focus fall to the top of the document when its element is taken out: a row
 * that was removed, a form that has served. Here the part of the page it stood in takes it instead.
 * @returns stops it
 */
export function keepFocus(): () => void {
  let held: HTMLElement | undefined
  let regions: HTMLElement[] = []

  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    const around = regionsOf(target).filter((region) => region !== target)
    // A popup stands beside the page: when it goes with its focus, the page behind it is where it came from.
    regions = around.some(({ tagName }) => tagName === 'MAIN') ? around : [...around, ...regions.slice(0, 4)]
    held = target
  }
  const onFocusOut = ({ target }: FocusEvent) => {
    queueMicrotask(() => {
      // Let go by hand, with a click beside it: nothing is to be kept. What is disabled while it serves lets go by itself.
      const there = held?.isConnected === true && target === held && !held.matches(':disabled')
      if (there && document.activeElement === document.body) held = undefined
    })
  }
  const lost = () =>
    held !== undefined && !held.isConnected && (document.activeElement ?? document.body) === document.body
  const observer = new MutationObserver(() => {
    if (!lost()) return
    afterDrawing(() => {
      if (!lost()) return
      held = undefined
      const region = regions.find(({ isConnected }) => isConnected) ?? document.querySelector('main')
      region?.focus({ preventScroll: true })
    })
  })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
    observer.disconnect()
  }
}

/** Where a page begins for the keyboard, and is read out from: its heading, made to take the focus, or the page itself. */
export function pageStart(): HTMLElement | undefined {
  const page = document.querySelector('main')
  const heading = page?.querySelector('h1')
  if (heading) heading.tabIndex = -1
  return heading ?? page ?? undefined
}

/** Moves the focus to a new page's heading, so that it is read out; not where the page has taken it by itself. */
export function focusPage(): void {
  afterDrawing(() => {
    const page = document.querySelector('main')
    const active = document.activeElement
    if (!page || (active !== page && page.contains(active))) return
    // A dialog that opened with the page keeps what it has.
    if (active?.closest('[role=dialog], [role=alertdialog]')) return
    pageStart()?.focus({ preventScroll: true })
  })
}
