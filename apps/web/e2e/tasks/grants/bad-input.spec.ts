import { expect, test } from '../../fixtures.ts'
import { card, grant, makeVault, openTab, STRANGER, visit } from '../support/person.ts'

const HUGE = 10 * 1024 * 1024

test('a paste of 10 MB is turned away at the field, and the page goes on at once', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Kept' })
  await visit(page, 'Identity', 'Check a token')
  const field = page.getByLabel('Token', { exact: true })
  await field.fill('typed before')
  await field.evaluate((element, size) => {
    const data = new DataTransfer()
    data.setData('text/plain', 'A'.repeat(size))
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, HUGE)
  await expect(page.getByText('This is 10 MiB of text.')).toBeVisible()
  await expect(field).toHaveValue('typed before')
  await field.fill('typed after')
  await expect(page.getByText('This is 10 MiB of text.')).toHaveCount(0)

  // The same by a field that is filled from elsewhere: told, not taken, and the page still answers.
  await field.evaluate((element, size) => {
    if (!(element instanceof HTMLTextAreaElement)) return
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
    set?.call(element, 'A'.repeat(size))
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }, HUGE)
  await expect(page.getByText('This is 10 MiB of text.')).toBeVisible()
  await expect(field).toHaveValue('typed after')
  await openTab(page, 'Grants')
  await expect(card(page, 'Granted so far').getByText('Kept')).toBeVisible()
})

test('a file of 10 MB is not read as a token', async ({ page }) => {
  await page.goto('/identity?tab=check')
  await page.locator('input[type=file]').setInputFiles({
    name: 'film.mkv',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(HUGE, 65),
  })
  await expect(page.getByText('“film.mkv” has 10 MiB')).toBeVisible()
})

test('an address that makes no sense opens the page all the same', async ({ page }) => {
  for (const path of [
    '/identity?tab=nonsense&token=5',
    '/search?kind=7&status=[]',
    '/demo?fn=rm',
    '/register?tab=1',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})
