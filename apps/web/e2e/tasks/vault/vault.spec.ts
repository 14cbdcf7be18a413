import { expect, test } from '../../fixtures.ts'
import {
  card,
  expectLocked,
  expectUnlocked,
  grant,
  makeVault,
  PASSPHRASE,
  STRANGER,
  unlock,
  unlockDialog,
  visit,
} from '../support/person.ts'

test('a new visitor is told what Keyhole is, and makes a vault', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('keys')
  await page
    .getByRole('link', { name: /Create a vault/ })
    .last()
    .click()
  const { address } = await makeVault(page)
  await expectUnlocked(page)
  await page.getByRole('link', { name: 'Go to your vault' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal')
  await expect(card(page, 'You').getByText(address)).toBeVisible()
  await expect(page.getByText('No backup yet')).toBeVisible()
})

test('a weak passphrase is turned down with its reasons', async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Name').fill('Personal')
  await page.getByLabel('Passphrase', { exact: true }).fill('short')
  await expect(page.getByText('At least 12 characters: 7 more.')).toBeVisible()
  await page.getByLabel('Passphrase', { exact: true }).fill('passwordpassword')
  await page.getByLabel('The same again').fill('passwordpassword')
  await expect(page.getByText(/^(Very weak|Weak)\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create the vault' })).toBeDisabled()
  await page.getByLabel('The same again').fill('something else')
  await expect(page.getByText('The two are not the same yet.')).toBeVisible()
})

test('a reload locks; the passphrase brings everything back', async ({ page }) => {
  const { did } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await page.reload()
  await expectLocked(page)
  await visit(page, 'Identity', 'Grants')
  await expect(card(page, 'The vault is locked')).toBeVisible()
  // What is sealed is not shown: the token's text is in the clear, its label is not.
  await expect(card(page, 'Granted so far').getByText('send messages')).toBeVisible()
  await expect(page.getByText('Holiday mails')).toHaveCount(0)

  await unlock(page)
  await expect(card(page, 'Granted so far').getByText('Holiday mails')).toBeVisible()
  await visit(page, 'Identity', 'Overview')
  await expect(page.getByText(did).first()).toBeVisible()
})

test('locked by hand it asks again; a wrong passphrase is told in words, and costs nothing', async ({
  page,
}) => {
  await makeVault(page)
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await expectLocked(page)
  await visit(page, 'Identity', 'Unlock')
  await expect(card(page, 'The vault is locked')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = unlockDialog(page)
  const field = dialog.getByLabel('Passphrase', { exact: true })
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expect(dialog.getByText('Type the passphrase of this vault.')).toBeVisible()
  await field.fill('not the passphrase at all')
  await field.press('Enter')
  await expect(dialog.getByText('This passphrase does not open it.')).toBeVisible()
  await expect(dialog.getByText('INVALID_PASSPHRASE')).toHaveCount(0)
  await field.fill(PASSPHRASE)
  await field.press('Enter')
  await expectUnlocked(page)
})

test('the passphrase is changed, and only the new one opens', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Unlock')
  const form = card(page, 'Change the passphrase')
  const next = 'copper lantern meadow eleven'
  await form.getByLabel('Passphrase now').fill('wrong wrong wrong wrong')
  await form.getByLabel('New passphrase').fill(next)
  await form.getByLabel('The same again').fill(next)
  await form.getByRole('button', { name: 'Change it' }).click()
  await expect(form.getByText('This passphrase does not open it.')).toBeVisible()
  await form.getByLabel('Passphrase now').fill(PASSPHRASE)
  await form.getByRole('button', { name: 'Change it' }).click()
  await expect(form.getByText('The passphrase is changed.')).toBeVisible()

  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expect(dialog.getByText('This passphrase does not open it.')).toBeVisible()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(next)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expectUnlocked(page)
})
