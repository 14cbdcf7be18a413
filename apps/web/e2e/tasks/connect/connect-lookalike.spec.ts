// An app whose name has letters that look like others.
import { approve, pressAway, takesPresses } from '../../presses.js'
import { expect, test } from '../support/app-fixtures.ts'
import { makeVault } from '../support/person.ts'

/** "аpple", with a Cyrillic first letter, in its ASCII form. */
const ORIGIN = 'https://xn--pple-43d.example'

test('a look-alike app is shown by its ASCII name with a warning, and can be answered', async ({
  page,
  app,
  guard,
}) => {
  guard.counterpart(ORIGIN)
  // Serve the app's own page at the look-alike address.
  await page.context().route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const response = await fetch(`${app.origin}${pathname}`)
    const contentType = response.headers.get('content-type') ?? 'text/plain'
    await route.fulfill({
      status: response.status === 204 ? 404 : 200,
      contentType,
      body: await response.text(),
    })
  })
  await makeVault(page)
  const site = await page.context().newPage()
  await site.goto(`${ORIGIN}/`)
  const answer = site.locator('#answer')
  const asked = async () => {
    const opening = site.waitForEvent('popup')
    await site.getByRole('button', { name: 'Connect' }).click()
    const window = await opening
    await expect(window.getByTestId('origin')).toHaveText(ORIGIN)
    await expect(window.getByText('This name has letters that can look like others.')).toBeVisible()
    await expect(window.getByText('this isn’t it: decline.')).toBeVisible()
    await takesPresses(window.getByRole('button', { name: 'Grant it' }))
    // Only once, after React has taken over the prerendered page.
    await expect(window.getByText('This name has letters that can look like others.')).toHaveCount(1)
    return window
  }
  const first = await asked()
  await pressAway(first.getByRole('button', { name: 'Decline' }))
  await expect(answer).toHaveText('DECLINED')
  const second = await asked()
  await approve(second.getByRole('button', { name: 'Grant it' }))
  await expect(answer).toHaveText(/^[CP][\w-]{100,}$/)
  expect(await app.read((await answer.textContent()) ?? '')).toMatchObject({ command: '/notes/read' })
})
