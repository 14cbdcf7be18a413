import { expect, test } from '@playwright/test'
import { makeVault, unlock } from './person.ts'

// Playwright switches this cache off; people's browsers have it on.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  },
})

test('a vault is locked when its page comes back out of the back/forward cache', async ({
  page,
  baseURL,
}) => {
  await makeVault(page)
  await page.evaluate(() => {
    addEventListener('pageshow', (event) => {
      document.body.dataset.kept = String(event.persisted)
    })
  })
  const elsewhere = new URL(baseURL ?? '')
  elsewhere.hostname = '127.0.0.1'
  await page.goto(elsewhere.href)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goBack({ waitUntil: 'commit' })
  // The page is the same one, so its enclave could have been.
  await expect(page.locator('body')).toHaveAttribute('data-kept', 'true')
  await unlock(page)
})
