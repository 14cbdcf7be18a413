import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { makeVault, PASSPHRASE, unlockDialog } from '../support/person.ts'

// A phone's width with text at 200 %, set by the browser itself (WCAG 1.4.4, 1.4.10).
test.use({
  viewport: { width: 360, height: 740 },
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
    await use({ ...launchOptions, args })
  },
})

async function expectInside(page: Page, what: string): Promise<void> {
  const widths = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await widths(), `${what}: pixels beyond the edge`).toBeLessThanOrEqual(0)
}

test('enlarged text fits on a phone’s screen', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 })
  for (const path of ['/', '/register']) {
    await page.goto(path)
    await expect(heading).toBeVisible()
    await expectInside(page, path)
  }
  await makeVault(page)
  for (const path of ['/', '/identity', '/payment', '/search']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('button', { name: 'Unlock' })).toBeInViewport({
      ratio: 1,
    })
    await expectInside(page, path)
  }
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = unlockDialog(page)
  await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
  await expectInside(page, 'the unlock dialog')
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expectInside(page, 'an open vault')
})
