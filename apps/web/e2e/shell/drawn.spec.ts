import type { Page } from '@playwright/test'
import { expect, running, test } from '../fixtures.ts'
import { holdClient } from '../tasks/support/held-client.ts'
import { makeVault } from '../tasks/support/person.ts'

const DRAWN = ['/search', '/register', '/payment', '/identity']

/** Where each heading, link, button and field of the page is, with its words. */
const layout = (page: Page) =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>('h1, h2, h3, p, a, button, input, label')].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect()
      const place = [x, y, width, height].map(Math.round).join(' ')
      return `${each.localName} ${place} ${each.textContent?.trim()}`
    }),
  )

/** Someone is there: the client loads. */
const arrive = (page: Page) => page.mouse.move(3, 3)

for (const path of DRAWN) {
  test(`${path} comes drawn, and nothing moves when the client takes over`, async ({ page }) => {
    await page.goto(path)
    await expect(page.locator('main h1')).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const before = await layout(page)
    expect(before.length).toBeGreaterThan(3)
    await arrive(page)
    await running(page)
    await expect(page.locator('main button:enabled, main a').first()).toBeVisible()
    expect(await layout(page)).toEqual(before)
  })
}

test('what is typed before the client is there stays, with the focus', async ({ page }) => {
  const release = await holdClient(page)
  await page.goto('/register')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('My laptop')
  await name.press('Enter')
  expect(page.url()).not.toContain('laptop')
  release()
  await running(page)
  await expect(name).toHaveValue('My laptop')
  await expect(name).toBeFocused()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('My laptop')
})

test('what is selected before the client is there is typed over afterwards', async ({ page }) => {
  const release = await holdClient(page)
  await page.goto('/register')
  const name = page.getByLabel('Name', { exact: true })
  await name.selectText()
  release()
  await running(page)
  await expect(name).toBeFocused()
  await page.keyboard.type('Laptop')
  await expect(name).toHaveValue('Laptop')
})

test('who has a vault is not told that there is none', async ({ page }) => {
  await makeVault(page)
  const release = await holdClient(page)
  for (const path of [...DRAWN, '/demo']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Keyhole' })).toBeVisible()
    await expect(page.locator('main h1')).toBeHidden()
  }
  release()
  await expect(page.locator('main h1')).toBeVisible()
})

test('an address that asks for more than its page comes with the frame alone', async ({ page }) => {
  const release = await holdClient(page)
  await page.goto('/identity?tab=grants')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Keyhole' })).toBeVisible()
  await expect(page.locator('main h1')).toBeHidden()
  release()
  await expect(page.locator('main h1')).toHaveText('Grants')
})

test('the client loads by itself if no one does anything', async ({ page }) => {
  await page.goto('/register')
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
})
