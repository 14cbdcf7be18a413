/** What takes the focus when the element that had it is gone, nearest first. */
const REGIONS = '[role=dialog], [role=alertdialog], [role=tabpanel], [data-panel], main'

/** The regions around an element, from the inside out. */
function regionsOf(element: Element): HTMLElement[] {
  const region = element.closest(REGIONS)
  if (!(region instanceof HTMLElement)) return []
  return [region, ...(region.parentElement ? regionsOf(region.parentElement) : [])]
}

/** Calls `work` after two frames, when anything that focuses itself has done so. */
function afterDrawing(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work))
}

/**
 * Keeps the keyboard's place. When the focused element is removed, such as a deleted row or a finished form, browsers move the focus to the
 * top of the document. This moves it to the surrounding part of the page instead.
 * @returns stops it
 */
export function keepFocus(): () => void {
  let held: HTMLElement | undefined
  let regions: HTMLElement[] = []

  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    const around = regionsOf(target).filter((region) => region !== target)
    // A popup isn't inside the page. When it closes with the focus, return to the page behind it.
    regions = around.some(({ tagName }) => tagName === 'MAIN') ? around : [...around, ...regions.slice(0, 4)]
    held = target
  }
  const onFocusOut = ({ target }: FocusEvent) => {
    queueMicrotask(() => {
      // The person clicked elsewhere, so keep nothing. A disabled element loses the focus without that.
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

/**
 * Where keyboard use and reading aloud start on a page: the part that its address asks for, otherwise its heading (made focusable),
 * otherwise the page.
 */
export function pageStart(): HTMLElement | undefined {
  const page = document.querySelector('main')
  const asked = page?.querySelector<HTMLElement>('[data-page-start]')
  if (asked) return asked
  const heading = page?.querySelector('h1')
  if (heading) heading.tabIndex = -1
  return heading ?? page ?? undefined
}

/** Focuses a new page's heading so that it is read out, unless the page has already taken the focus. */
export function focusPage(): void {
  afterDrawing(() => {
    const page = document.querySelector('main')
    const active = document.activeElement
    if (!page || (active !== page && page.contains(active))) return
    // A dialog that opened with the page keeps the focus.
    if (active?.closest('[role=dialog], [role=alertdialog]')) return
    pageStart()?.focus({ preventScroll: true })
  })
}
