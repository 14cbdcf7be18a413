import { expect, test } from '../fixtures.ts'
import { card, makeVault, STRANGER, tokenText, visit } from './person.ts'

test('a spending mandate is issued, put into words, and listed', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Payments')
  await expect(page.getByText('Limits are per payment.')).toBeVisible()
  const form = card(page, 'New mandate')
  await form.getByRole('button', { name: 'One shop, small sums' }).click()
  await form.getByLabel('Who may pay').fill(STRANGER)
  await form.getByLabel('At most, for one payment').fill('12.345')
  await expect(form.getByText('with at most 2 digits after the point')).toBeVisible()
  await form.getByLabel('At most, for one payment').fill('12.50')
  const preview = card(page, 'What you are about to sign')
  await expect(preview).toContainText('above zero and at most £12.50')
  await expect(preview.getByRole('region', { name: 'payload' })).toContainText('["<=", ".amount", 1250]')
  await form.getByRole('button', { name: 'Sign the mandate' }).click()
  const token = await tokenText(card(page, 'Signed and stored'))

  await page.getByRole('tab', { name: 'Mandates' }).click()
  await expect(card(page, 'Mandates you gave').getByText('authorise payments')).toBeVisible()
  await visit(page, 'Identity', 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await expect(card(page, 'What it says')).toContainText('the amount is above zero and at most £12.50')
})
