import type { Page } from '@playwright/test'
import { COLOUR_RULES, expectAccessible } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { fillNewVault } from '../support/person.ts'

/** What of a page outlives its document, or is seen outside of it. */
async function traces(page: Page): Promise<string> {
  return await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.title,
      history.state,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ]),
  )
}

test('the recovery sheet is printed in the place of the page, and goes with the code', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.set(window, 'printed', 0)
    window.print = () => Reflect.set(window, 'printed', Reflect.get(window, 'printed') + 1)
  })
  await page.goto('/register')
  await fillNewVault(page, { name: 'Ada’s vault' })
  await page.getByRole('button', { name: 'Create vault' }).click()
  const code = (await page.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  expect(await page.evaluate(() => Reflect.get(window, 'printed'))).toBe(1)

  const sheet = page.locator('.print-sheet')
  await expect(sheet).toBeHidden()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(sheet.getByText('Ada’s vault')).toBeVisible()
  for (const group of code.split('-')) await expect(sheet.getByText(group, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveCount(3)
  await expect(sheet.getByRole('img', { name: 'QR code of recovery code' })).toBeVisible()
  await expectAccessible(page, 'the sheet', COLOUR_RULES)
  const pdf = await page.pdf({ format: 'A4' })
  // One page, with a tree of pages before it.
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'screen' })

  const left = await traces(page)
  expect(left).not.toContain(code)
  expect(left).not.toContain(code.replaceAll('-', ''))
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(sheet).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the code' }).click()
  await expect(sheet).toHaveCount(1)
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await expect(sheet).toHaveCount(0)
})

test.describe('on a phone, on a slow line', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('what is below the code stays where it is when the sheet comes', async ({ page }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/assets\/recovery-sheet[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/register')
    await fillNewVault(page, {})
    await page.getByRole('button', { name: 'Create vault' }).click()
    const print = page.getByRole('button', { name: 'Print or save as PDF' })
    const skip = page.getByRole('button', { name: 'Skip for now' })
    await expect(print).toBeDisabled()
    const before = await skip.boundingBox()
    release()
    await expect(print).toBeEnabled()
    expect(await skip.boundingBox()).toEqual(before)
  })
})
