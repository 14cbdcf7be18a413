import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import {
  card,
  chooseBackup,
  choosePassphrase,
  expectUnlocked,
  FILE_PASSPHRASE,
  grant,
  makeVault,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  removeAccount,
  STRANGER,
  unlock,
  unlockDialog,
  visit,
  writeBackup,
} from '../support/person.ts'

async function removeOnlyAccount(page: Page): Promise<void> {
  await removeAccount(page)
  await expect(page.getByText('None yet')).toBeVisible()
}

test('export, remove, import: everything is back', async ({ page }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const backup = await writeBackup(page)
  expect(backup.name).toMatch(new RegExp(`^keyhole-${address}-\\d{4}-\\d{2}-\\d{2}\\.keyhole\\.json$`))
  expect(backup.text).not.toContain('Holiday mails')
  await removeOnlyAccount(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('one folder')

  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await chooseBackup(form, backup)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByLabel('Backup passphrase').fill('certainly not this one')
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByText('This passphrase does not open it.')).toBeVisible()
  await form.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expect(page.getByText(address).first()).toBeVisible()
  await expect(page.getByText('For now, only the passphrase you just chose opens it')).toBeVisible()
  await expectUnlocked(page)
  await visit(page, 'Home')
  await expect(card(page, 'Active grants')).toBeVisible()
  await expect(page.getByText(/^(No backup yet|The backup )/)).toHaveCount(0)
  await visit(page, 'Grants')
  await expect(card(page, 'Granted so far').getByText('Holiday mails')).toBeVisible()

  await page.reload()
  await unlock(page, OTHER_PASSPHRASE)
})

test('accounts stand side by side: switch, and each has its own', async ({ page }) => {
  await makeVault(page, { name: 'Home' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Of home' })
  await makeVault(page, { name: 'Work', passphrase: OTHER_PASSPHRASE })
  await visit(page, 'Grants')
  await expect(page.getByText('No grants yet')).toBeVisible()
  await page.goto('/register?tab=accounts')
  await page.getByRole('button', { name: 'Switch to it' }).click()
  await expect(page.getByText('Vault opened')).toBeVisible()
  await unlock(page, PASSPHRASE)
  await visit(page, 'Grants')
  await expect(card(page, 'Granted so far').getByText('Of home')).toBeVisible()

  // The other way from anywhere: by the header.
  await page.getByRole('button', { name: 'Vaults: Home' }).click()
  const others = page.getByRole('dialog', { name: 'Vaults in this browser' })
  await others.getByRole('button', { name: /^Switch to kh1/ }).click()
  await expect(others).toHaveCount(0)
  await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.type(OTHER_PASSPHRASE)
  await unlockDialog(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Vaults: Work' })).toBeVisible()
  await expect(page.getByText('No grants yet')).toBeVisible()
})
