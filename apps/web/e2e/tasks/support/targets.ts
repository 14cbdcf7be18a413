// How large what can be pressed is.

/**
 * Runs in the page. What can be pressed and is smaller than 44 pixels either way. Links and buttons inside a text are left out, as WCAG 2.5.5 leaves
 * them out: their line decides how tall they are.
 */
export function smallTargets(): string[] {
  const SMALLEST = 44
  const INTERACTIVE =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="tab"], [role="switch"], [role="radio"]'
  const isInText = (element: Element) =>
    getComputedStyle(element).display.startsWith('inline') &&
    [...(element.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
  const found = new Set<string>()
  for (const element of document.querySelectorAll(INTERACTIVE)) {
    // A press on its label is a press on it.
    const target = element.closest('label') ?? element
    const box = target.getBoundingClientRect()
    // What is laid over a target catches presses beside it.
    const over = ['::before', '::after'].map((part) => getComputedStyle(target, part))
    const laid = over.filter(({ position, content }) => position === 'absolute' && content !== 'none')
    const width = Math.max(box.width, ...laid.map((each) => Number.parseFloat(each.width)))
    const height = Math.max(box.height, ...laid.map((each) => Number.parseFloat(each.height)))
    const isHidden = !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const isClipped = getComputedStyle(element).clipPath !== 'none'
    if (isHidden || isClipped || width <= 1 || height <= 1 || isInText(element)) continue
    if (Math.min(width, height) >= SMALLEST - 0.5) continue
    const name = element.getAttribute('aria-label') ?? target.textContent?.trim().slice(0, 40)
    found.add(`${element.localName} “${name}”: ${Math.round(width)} × ${Math.round(height)}`)
  }
  return [...found]
}
