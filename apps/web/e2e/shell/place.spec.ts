import { expect, test } from '../fixtures.ts'

test('a new page sets the title, takes the focus, and remembers its scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 400 })
  await page.goto('/register?tab=restore')
  await expect(page).toHaveTitle('Restore a vault · Your vault · Keyhole')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(page.getByLabel('Backup passphrase')).toBeVisible()
  const first = (await heading.textContent()) ?? ''
  // When a page is opened by its address, reading starts at the top.
  await expect(heading).not.toBeFocused()

  // Focusing scrolls an element into view, so do it first.
  const places = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
  await places.getByRole('link', { name: 'Payments', exact: true }).focus()
  await expect
    .poll(() =>
      page.evaluate(() => {
        scrollTo(0, 300)
        return scrollY
      }),
    )
    .toBe(300)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Payments · Keyhole')
  await expect(heading).toHaveText('Payments')
  await expect(heading).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)

  // A tab isn't a new page: it keeps the focus.
  const history = page.getByRole('tab', { name: 'History' })
  await history.click()
  await expect(page).toHaveTitle('History · Payments · Keyhole')
  await expect(history).toBeFocused()

  await page.goBack()
  await page.goBack()
  await expect(heading).toHaveText(first)
  await expect(heading).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
})

test('places that share a page have their own addresses, and an old address opens its section', async ({
  page,
}) => {
  await page.goto('/identity?tab=backup')
  const backup = page.getByRole('button', { name: 'Backup and storage', exact: true })
  await expect(page).toHaveTitle('Backup and storage · Settings · Keyhole')
  await expect(backup).toHaveAttribute('aria-expanded', 'true')
  await expect(backup).toBeInViewport()

  const heading = page.getByRole('heading', { level: 1 })
  const places = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
  for (const name of ['Activity', 'Grants', 'Settings']) {
    await places.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveTitle(`${name} · Keyhole`)
    await expect(heading).toHaveText(name)
    await expect(heading).toBeFocused()
    await expect(places.locator('[aria-current=page]')).toHaveText([name])
  }

  // A section opens in place, and search finds it by its content.
  await expect(backup).toHaveAttribute('aria-expanded', 'false')
  await page.getByLabel('Find a setting').fill('auto-lock')
  await expect(page.getByRole('list', { name: 'Settings' }).getByRole('button')).toHaveText(['Unlocking'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/identity\?tab=unlock$/)
  const unlocking = page.getByRole('button', { name: 'Unlocking', exact: true })
  await expect(unlocking).toHaveAttribute('aria-expanded', 'true')
  await expect(unlocking).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(unlocking).toHaveAttribute('aria-expanded', 'false')
  await expect(unlocking).toBeFocused()
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('an unknown address says so, and without a vault leads home', async ({ page, guard }) => {
    // The browser logs the 404 of the navigation itself.
    guard.allow(/^Failed to load resource: the server responded with a status of 404/)
    await page.goto('/urlaubs/mails')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hier gibt es keine Seite')
    await expect(page).toHaveTitle('Hier gibt es keine Seite · Keyhole')
    await page.getByRole('link', { name: 'Zur Startseite' }).click()
    await expect(page).toHaveURL((url) => url.pathname === '/')
  })
})
