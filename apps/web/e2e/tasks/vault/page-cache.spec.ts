import { expect, test } from '@playwright/test'
import { makeVault, unlock } from '../support/person.ts'

// Playwright switches this cache off; people's browsers have it on.
test.use({
  serviceWorkers: 'allow',
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  },
})

/** Runs in the page: whether its first service worker is there, and nothing is being written, or about to be. */
async function isAtRest(): Promise<boolean> {
  if (navigator.serviceWorker.controller === null) return false
  // Several times: between a write and its second copy there is a moment without a lock.
  for (let looks = 0; looks < 30; looks += 1) {
    const { held = [], pending = [] } = await navigator.locks.query()
    const locks = [...held, ...pending]
    if (locks.some(({ name }) => /^keyhole:(?:write|storage|mirror):/.test(name ?? ''))) return false
    await new Promise((drawn) => requestAnimationFrame(drawn))
  }
  return true
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
      document.body.dataset.persisted = String(event.persisted)
    })
  })
  const elsewhere = new URL(baseURL ?? '')
  elsewhere.hostname = '127.0.0.1'
  await page.goto(elsewhere.href)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goBack({ waitUntil: 'commit' })
  // The page is the same one, so its enclave could have been.
  await expect(page.locator('body')).toHaveAttribute('data-persisted', 'true')
  await unlock(page)
})
