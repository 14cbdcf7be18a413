/**
 * Runs in the page. Texts that can't be told from what is behind them (less than 4.5 to 1) in a person's own few colours. Axe reads the colour
 * from `-webkit-text-fill-color`, which stays what it was. What is behind a dialog, or disabled, is left out.
 */
export function unreadableTexts(): string[] {
  const CONTRAST = 4.5
  const dialog = document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]')
  type Colour = readonly [red: number, green: number, blue: number, alpha: number]
  const colourOf = (text: string): Colour => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
    return [red, green, blue, alpha]
  }
  const over = ([r, g, b, alpha]: Colour, [red, green, blue]: Colour): Colour => {
    const mixed = (above: number, below: number) => alpha * above + (1 - alpha) * below
    return [mixed(r, red), mixed(g, green), mixed(b, blue), 1]
  }
  const light = (colour: Colour) => {
    const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((value) => {
      const part = value / 255
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  // The browser's colour for what is selected lets some of what is behind it through.
  const behind = (element: Element | null): Colour => {
    if (element === null) return colourOf(getComputedStyle(document.documentElement).backgroundColor)
    const own = colourOf(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, behind(element.parentElement))
  }
  const found = new Set<string>()
  for (const element of (dialog ?? document.body).querySelectorAll('*')) {
    const text = [...element.childNodes].find(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )?.textContent
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!text || !isVisible || element.closest('svg, :disabled, [aria-disabled="true"]')) continue
    const [one, other] = [light(colourOf(getComputedStyle(element).color)), light(behind(element))].sort(
      (a, b) => b - a,
    )
    const contrast = ((one ?? 0) + 0.05) / ((other ?? 0) + 0.05)
    if (contrast < CONTRAST) found.add(`“${text.trim().slice(0, 40)}”: ${contrast.toFixed(1)}`)
  }
  return [...found]
}
