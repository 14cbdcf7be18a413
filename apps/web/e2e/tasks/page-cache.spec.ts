import { expect, test } from '@playwright/test'
import { makeVault, unlock } from './person.ts'

// Playwright switches this cache off; people's browsers have it on.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  },
})

/** Runs in the page: whether its first service worker is there, and nothing is being written. */
async function isAtRest(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  const isWriting = held.some(({ name }) => /^keyhole:(?:write|storage|mirror):/.test(name ?? ''))
  return navigator.serviceWorker.controller !== null && !isWriting
}

test('a vault is locked when its page comes back out of the back/forward cache', async ({
  page,
  baseURL,
}) => {
  await makeVault(page)
  // No page is kept that holds a lock, or that a service worker takes over meanwhile.
  await expect.poll(() => page.evaluate(isAtRest)).toBe(true)
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
