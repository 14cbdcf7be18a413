import { expect, test } from '../fixtures.ts'

test('a page that is moved to has its own title, takes the focus, and keeps its place', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 400 })
  await page.goto('/register')
  await expect(page).toHaveTitle('Your vault · Keyhole')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
  const first = (await heading.textContent()) ?? ''
  // Where a page is opened by its address, the reader begins at the top.
  await expect(heading).not.toBeFocused()

  // What takes the focus is brought into sight, and so comes first.
  const places = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
  await places.getByRole('link', { name: 'Identity', exact: true }).focus()
  await expect
    .poll(() =>
      page.evaluate(() => {
        scrollTo(0, 300)
        return scrollY
      }),
    )
    .toBe(300)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Identity · Keyhole')
  await expect(heading).toHaveText('Identity')
  await expect(heading).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)

  // A tab is no other page: the focus stays on it.
  const backup = page.getByRole('tab', { name: 'Backup' })
  await backup.click()
  await expect(page).toHaveTitle('Backup · Identity · Keyhole')
  await expect(backup).toBeFocused()

  await page.goBack()
  await page.goBack()
  await expect(heading).toHaveText(first)
  await expect(heading).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('an address without a page says so, and offers to search for what it asked for', async ({
    page,
    guard,
  }) => {
    // The browser itself notes the 404 of the navigation.
    guard.allow(/^Failed to load resource: the server responded with a status of 404/)
    await page.goto('/urlaubs/mails')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hier gibt es keine Seite')
    await expect(page).toHaveTitle('Hier gibt es keine Seite · Keyhole')
    await page.getByRole('link', { name: 'Im Tresor nach „urlaubs mails“ suchen' }).click()
    await expect(page).toHaveURL(/\/search\?q=urlaubs(?:\+|%20)mails$/)
    await expect(page).toHaveTitle('Suche · Keyhole')
  })
})
