/**
 * Focuses what replaced a form, and scrolls to its start: browsers are satisfied with any visible part, which on a phone is the end.
 * Scrolls instantly, so there is no motion to reduce. Call it in a layout effect: nothing may be seen where it doesn't stay, or be pressed there.
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
