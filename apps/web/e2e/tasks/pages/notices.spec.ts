import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { card, makeVault, openTab, STRANGER, visit } from '../support/person.ts'
import { giveMandate } from '../support/spending.ts'

/** Windows of a phone, a small laptop and a wide screen, and one that is enlarged four times. */
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 1024, height: 600 },
  { width: 1440, height: 900 },
  { width: 320, height: 256 },
]

/** Expects that a press anywhere on a button, but for its rounded corners, reaches the button. */
async function expectUncovered(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await expect
    .poll(() =>
      button.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
        return parts.flatMap((x) =>
          parts
            .map((y) => document.elementFromPoint(left + x * width, top + y * height))
            .filter((found) => found === null || !element.contains(found))
            .map((found) => found?.outerHTML.slice(0, 80) ?? 'out of the window'),
        )
      }),
    )
    .toEqual([])
}

/** Suspends the only mandate, and stops the clock of the notice that offers to undo it. */
async function suspend(page: Page): Promise<Locator> {
  await openTab(page, 'Mandates')
  await page.getByRole('article').getByRole('button', { name: 'Suspend' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.focus()
  return undo
}

test('no notice covers the button that signs, at any size of window', async ({ page }) => {
  await makeVault(page)
  await giveMandate(page, 'An agent for a day', { Who: STRANGER, 'Paid to': 'https://shop.example' })
  const undo = await suspend(page)
  for (const [place, part, form, submit] of [
    ['Payments', 'New mandate', 'New mandate', 'Sign the mandate'],
    ['Grants', undefined, 'New grant', 'Sign the grant'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(page, place, part)
    for (const size of WINDOWS) {
      await page.setViewportSize(size)
      // A sentence makes the bar taller.
      await card(page, form).getByLabel('Who', { exact: true }).fill(STRANGER)
      await undo.focus()
      await expectUncovered(card(page, form).getByRole('button', { name: submit }))
      await expect(undo).toBeInViewport({ ratio: 1 })
    }
  }
  await undo.click()
  await expect(page.getByText('Undone')).toBeVisible()
})
