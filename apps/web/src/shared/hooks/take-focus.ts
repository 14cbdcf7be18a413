/**
 * Gives the focus to what has taken the place of a form, with its beginning in sight: the browser's own scrolling is content with any
 * part of it, and on a phone that is its end. Moves at once, so there is no motion to be reduced.
 */
export function takeFocus(box: HTMLElement | null): void {
  if (!box) return
  const { top, bottom } = box.getBoundingClientRect()
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const isWhole =
    top >= (Number.parseFloat(scrollPaddingTop) || 0) &&
    bottom <= innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0)
  if (!isWhole) box.scrollIntoView({ block: 'start', behavior: 'instant' })
  box.focus({ preventScroll: true })
}
