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
