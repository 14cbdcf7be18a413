import { expect, running, test } from '../fixtures.ts'

const ROUTES = ['/', '/search', '/register', '/payment', '/identity', '/demo']

for (const route of ROUTES) {
  test(`${route} loads by its address`, async ({ page }) => {
    const response = await page.goto(route)
    expect(response?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByTestId('hole').locator('canvas[data-moving]')).toBeAttached()
  })
}

test('each page loads lazily and the back button works', async ({ page }) => {
  await page.goto('/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  const first = await heading.textContent()
  await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
  await expect(page).toHaveURL(/\/payment/)
  await expect(heading).not.toHaveText(first ?? '')
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
  await expect(heading).toHaveText(first ?? '')
})

test('a navigation that overtakes another causes no error', async ({ page }) => {
  await page.goto('/')
  await running(page)
  const places = page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link')
  // Visit each page slowly once so that its script is loaded, then as fast as frames allow.
  for (const place of await places.all()) await place.click()
  await places.evaluateAll(async (links) => {
    for (const link of [...links, ...links]) {
      if (link instanceof HTMLElement) link.click()
      await new Promise(requestAnimationFrame)
    }
  })
  await expect(page).toHaveURL(/\/identity\?tab=settings$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

test('an unknown address says so and leads home', async ({ page, guard }) => {
  // The browser logs the 404 of the navigation itself.
  guard.allow(/^Failed to load resource: the server responded with a status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page here')
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test.describe('a missing page script', () => {
  test('raises the preload-error event, and the page offers to try again', async ({ page, guard }) => {
    guard.allow(/^Failed to load resource: net::ERR_FAILED$/)
    guard.allow(/Part of this page didn’t load/)
    await page.addInitScript(() => {
      addEventListener('vite:preloadError', (event) => {
        document.documentElement.dataset.preloadError = event.defaultPrevented ? 'handled' : 'raised'
      })
    })
    await page.goto('/')
    await running(page)
    const loaded = await page.evaluate(() => performance.timeOrigin)
    const demo = /\/assets\/demo[^/]*\.js$/
    await page.route(demo, (route) => route.abort())
    await page.getByRole('link', { name: /^Try the demo/ }).click()
    await expect(page.getByRole('heading', { name: 'This page did not open' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-preload-error', 'raised')
    await page.unroute(demo)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('This page did not open')
    await expect(page).toHaveURL(/\/demo$/)
    // Still the same document: a reload would have locked the vault.
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded)
  })

  test('is refused when it differs from the build', async ({ page, guard }) => {
    guard.allow(/Failed to find a valid digest in the 'integrity' attribute/)
    guard.allow(/Part of this page didn’t load/)
    await page.addInitScript(() => {
      addEventListener('planted', () => {
        document.documentElement.dataset.planted = 'ran'
      })
    })
    await page.route(/\/assets\/demo[^/]*\.js$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `dispatchEvent(new Event('planted'));${await response.text()}` })
    })
    await page.goto('/demo')
    await expect(page.getByRole('heading', { name: 'This page did not open' })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-planted', /.*/)
  })
})
