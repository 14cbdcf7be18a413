import { expect, test } from '../../fixtures.ts'
import { card, makeVault, PASSPHRASE, visit } from '../support/person.ts'

test('where a form or a button of the log is gone, the focus is where it stood', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Activity')
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  const gate = card(page, 'The vault is locked')
  await gate.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await gate.getByLabel('Passphrase', { exact: true }).press('Enter')
  await expect(page.getByText('Created the vault')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()

  const log = card(page, 'Entries')
  await log.getByLabel('Find').fill('nothing like it')
  await log.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page.getByText('Created the vault')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
