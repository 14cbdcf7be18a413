import { expect, test } from '../../fixtures.ts'
import { addContact, card, grant, openTab, STRANGER, visit } from '../support/person.ts'
import { LABEL, lookAtDialogs, lookAtMaking, PLACES, WITHOUT_VAULT } from '../support/states.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

/**
 * Runs in the page. What can be pressed and is smaller than 44 pixels either way. Links and buttons inside a text are left out, as WCAG 2.5.5 leaves
 * them out: their line decides how tall they are.
 */
function smallTargets(): string[] {
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

test('everything that can be pressed on a touch screen is at least 44 pixels each way', async ({ page }) => {
  test.setTimeout(300_000)
  const found: Record<string, string[]> = {}
  const look = async (what: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    found[what] = await page.evaluate(smallTargets)
  }
  for (const path of [...WITHOUT_VAULT, '/demo']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('button').first()).toBeEnabled()
    await look(`without a vault: ${path}`)
  }
  await lookAtMaking(page, look)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  await look('a contact')
  await grant(page, { to: STRANGER, command: '/msg/send', label: LABEL })
  await look('signed')
  for (const [place, part] of PLACES) {
    await visit(page, place, part)
    await look([place, part].join(' '))
  }
  await visit(page, 'Grants')
  await openTab(page, 'Given')
  await page.getByRole('article', { name: LABEL }).getByRole('link', { name: 'Details' }).click()
  await expect(card(page, 'Where it came from')).toBeVisible()
  await look('a grant')
  await page.getByRole('button', { name: 'Revoke…' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  // Not `look`: a dialog hides the page's heading.
  found['to revoke it'] = await page.evaluate(smallTargets)
  await page.keyboard.press('Escape')
  await lookAtDialogs(page, async (what) => {
    found[what] = await page.evaluate(smallTargets)
  })

  expect(Object.entries(found).filter(([, targets]) => targets.length > 0)).toEqual([])
})
