import type { Locator } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { addContact, card, grant, makeVault, STRANGER, visit } from '../support/person.ts'

const box = async (element: Locator) =>
  (await element.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }
const PHONE = { width: 360, height: 740 }
const WIDE = { width: 1440, height: 900 }

test('the palette shows a sentence whole on a phone, and marks the chosen line by more than its ground', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await makeVault(page)
  const limit: [string, string, string] = [
    '.to',
    'fits the pattern',
    '*@the-whole-of-our-company.example.com',
  ]
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails', limit })
  await page.getByRole('button', { name: 'Find or do something' }).click()
  await page.getByRole('combobox', { name: 'Find or do something' }).fill('holiday')
  const chosen = page.getByRole('option', { name: /^Holiday mails/, selected: true })
  await expect(chosen).toContainText('the-whole-of-our-company.example.com')
  const cut = await chosen
    .locator('p')
    .evaluateAll((lines) =>
      lines.filter((line) => line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight),
    )
  expect(cut).toEqual([])
  // The ground alone is hardly another one in the dark theme.
  await expect(chosen).toHaveCSS('outline-style', 'solid')
  await expect(chosen).toHaveCSS('outline-width', '2px')
})

test('the highlighted line of a list is marked by a ring, in the dark theme too', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  await visit(page, 'Grants', 'Given')
  const form = card(page, 'New grant')
  const ring = async (line: Locator) => {
    await expect(line).toHaveCSS('outline-style', 'solid')
    await expect(line).toHaveCSS('outline-width', '2px')
    const colour = await line.evaluate((each) => getComputedStyle(each).color)
    // The ink of the design, which tokens.test.ts holds to 3 to 1 on every ground.
    await expect(line).toHaveCSS('outline-color', colour)
  }
  await form.getByLabel('Who', { exact: true }).fill('Anna')
  await page.keyboard.press('ArrowDown')
  await ring(page.getByRole('option', { name: /Anna/, selected: true }))
  await page.keyboard.press('Enter')
  await form.getByLabel('Expires').click()
  await page.keyboard.press('ArrowDown')
  await ring(page.locator('[role="option"][data-highlighted]'))
})

test('a row of tabs fades only at an end where there is more, and covers nothing', async ({ page }) => {
  await page.setViewportSize(WIDE)
  await page.goto('/demo')
  const strip = page.getByRole('tablist')
  await expect(strip).toHaveCSS('background-image', 'none')
  const fades = () =>
    strip.evaluate((row) =>
      ['--before', '--after'].map((end) => Number.parseFloat(getComputedStyle(row).getPropertyValue(end))),
    )
  await expect.poll(fades).toEqual([0, 0])
  await page.setViewportSize({ width: 240, height: 740 })
  await expect.poll(async () => (await fades())[1]).toBeGreaterThan(0)
  await strip.evaluate((row) => row.scrollTo({ left: row.scrollWidth }))
  await expect.poll(async () => (await fades())[0]).toBeGreaterThan(0)
  await expect.poll(async () => (await fades())[1]).toBeLessThan(1)
})

test('the steps of a new vault have names on a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/register')
  const steps = page.getByRole('list', { name: 'Steps' })
  for (const name of ['Name', 'Unlock', 'Recovery code', 'Backup'])
    expect((await box(steps.getByText(name, { exact: true }))).width).toBeGreaterThan(20)
})

test('the magnifier has one place and one meaning at every width', async ({ page }) => {
  await page.goto('/demo')
  const bar = page.getByRole('banner')
  const find = bar.getByRole('button', { name: 'Find or do something' })
  for (const size of [PHONE, { width: 900, height: 900 }, WIDE]) {
    await page.setViewportSize(size)
    const check = await box(bar.getByRole('link', { name: 'Check a token' }))
    expect((await box(find)).x).toBeLessThan(check.x)
    await expect(bar.getByRole('link', { name: 'Search', exact: true })).toHaveCount(0)
    await find.click()
    await expect(page.getByRole('dialog', { name: 'Find or do something' })).toBeVisible()
    await page.keyboard.press('Escape')
  }
})

test('what a grant can start from comes before its fields, for the eye and for Tab', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Grants')
  const form = card(page, 'New grant')
  const starts = form.getByRole('region', { name: 'Start from a common case' })
  const who = form.getByLabel('Who', { exact: true })
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    const last = starts.getByRole('button').last()
    expect((await box(last)).y).toBeLessThan((await box(who)).y)
    await last.focus()
    // The button that scans a code and a word with its meaning come between them.
    for (const _ of ['Scan', 'What is a DID?', 'Who']) await page.keyboard.press('Tab')
    await expect(who).toBeFocused()
  }
})

test('the buttons of a dialog stay in sight while its text scrolls', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  for (const label of ['Holiday mails', 'Photos', 'Build server'])
    await grant(page, { to: STRANGER, command: '/msg/send', label })
  await visit(page, 'Grants', 'Contacts')
  await page.getByRole('list', { name: 'Contacts' }).getByRole('button', { name: 'Anna Berger' }).click()
  await page.getByRole('button', { name: 'Revoke everything…' }).click()
  const long = page.getByRole('alertdialog', { name: /^Revoke everything for/ })
  await expect(long.getByRole('list', { name: 'Who is affected' })).toBeVisible()
  // The second is 1280 × 1024 at 400 %.
  const sizes = [{ width: 360, height: 480 }, { width: 320, height: 256 }, PHONE]
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const name of ['Cancel', 'Revoke everything'])
      await expect(long.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    // One can read on beneath its title, and to its end.
    await long.evaluate((dialog) => dialog.scrollTo({ top: 0 }))
    await expect(long.getByRole('heading')).toBeInViewport({ ratio: 1 })
    const foot = await box(long.getByRole('button', { name: 'Cancel' }))
    // What can't be undone is said where nobody has to scroll for it.
    const final = await box(long.getByText('You can’t undo this.', { exact: true }))
    expect(final.y + final.height).toBeLessThanOrEqual(foot.y)
    const end = long.getByText('still accept the grants.', { exact: false })
    await long.evaluate((dialog) => dialog.scrollTo({ top: dialog.scrollHeight }))
    const { y, height } = await box(end)
    expect(y + height).toBeLessThanOrEqual(foot.y)
  }
  await page.keyboard.press('Escape')
  // It begins at its beginning, although a button at its end gets the focus.
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.getByRole('button', { name: 'Revoke everything…' }).click()
    await expect(long.getByRole('list', { name: 'Who is affected' })).toBeVisible()
    await expect(long.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expect(long.getByRole('heading')).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(long).toHaveCount(0)
  }

  // A long introduction comes before the form that has the buttons.
  await visit(page, 'Settings', 'Unlocking')
  await page.getByRole('button', { name: 'Create a new one' }).click()
  const asked = page.getByRole('dialog', { name: 'Create a new recovery code' })
  const field = asked.getByLabel('Passphrase', { exact: true })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await asked.evaluate((dialog) => dialog.scrollTo({ top: 0 }))
    for (const name of ['Cancel', 'Show the code'])
      await expect(asked.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    // What gets the focus isn’t behind them.
    await asked.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Tab')
    await expect(field).toBeFocused()
    const { y, height } = await box(field)
    expect(y + height).toBeLessThanOrEqual((await box(asked.getByRole('button', { name: 'Cancel' }))).y)
  }
})

test('what closes a card is in its corner on a phone, not between its title and its text', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/identity?tab=check#token=cut')
  const sent = card(page, 'You were sent a grant')
  const [title, close] = [
    await box(sent.getByRole('heading').first()),
    sent.getByRole('button', { name: 'Close' }),
  ]
  await expect(close).toBeVisible()
  expect((await box(close)).y).toBeLessThan(title.y + title.height)
})

test('JSON stays within its box on a phone', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await page.setViewportSize(PHONE)
  await card(page, 'Granted so far').getByRole('link', { name: 'Details' }).click()
  await page.getByText('Raw payload').click()
  const payload = page.getByRole('region', { name: 'payload' })
  await expect(payload).toBeVisible()
  const { x, width } = await box(payload.locator('..'))
  expect(x + width).toBeLessThanOrEqual(PHONE.width)
  const beyond = await payload.evaluate((each) => each.scrollWidth - each.clientWidth)
  expect(beyond).toBeLessThanOrEqual(0)
})

test('an empty box to tick has the edge of a field, in the dark theme too', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await makeVault(page)
  await visit(page, 'Home')
  await page.locator('#page').focus()
  await page.keyboard.press('?')
  const tick = page.getByRole('checkbox', { name: /^Single-key shortcuts/ })
  await tick.click()
  await expect(tick).not.toBeChecked()
  // The edge that tokens.test.ts holds to 3 to 1 on every ground.
  const edge = await tick.evaluate((each) => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--line-strong)'
    each.parentElement?.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
  await expect(tick).toHaveCSS('border-top-color', edge)
  await expect(tick).toHaveCSS('border-top-width', '1px')
  await tick.click()
  await expect(tick).toBeChecked()
})

test('the list of functions cuts a line where it goes on', async ({ page }) => {
  await page.setViewportSize(WIDE)
  await page.goto('/demo')
  const list = page.getByRole('navigation', { name: 'Functions' })
  await expect(list.getByRole('button').first()).toBeVisible()
  const shown = await box(list)
  const end = shown.y + shown.height
  const lines = await list
    .getByRole('button')
    .evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    )
  const isCut = ([top = 0, bottom = 0]: number[]) => top + 8 < end && bottom - 8 > end
  expect(lines.filter(isCut)).toHaveLength(1)
})
