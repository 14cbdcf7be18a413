import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import {
  card,
  choosePassphrase,
  expectUnlocked,
  FILE_PASSPHRASE,
  grant,
  makeVault,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  STRANGER,
  unlock,
  visit,
} from './person.ts'

async function exportBackup(page: Page): Promise<{ name: string; text: string }> {
  await visit(page, 'Identity', 'Backup')
  const form = card(page, 'Write a backup')
  await form.getByLabel('Passphrase of this vault').fill(PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for the file', FILE_PASSPHRASE)
  const downloading = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Write the backup file' }).click()
  const download = await downloading
  await expect(form.getByText('The backup is in your downloads.')).toBeVisible()
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

async function removeAccount(page: Page): Promise<void> {
  await page.goto('/register?tab=accounts')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/to confirm/).fill((await dialog.locator('label strong').textContent()) ?? '')
  await dialog.getByRole('button', { name: 'Remove the account' }).click()
  await expect(page.getByText('None yet')).toBeVisible()
}

test('export, remove, import: everything is back', async ({ page }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const backup = await exportBackup(page)
  expect(backup.name).toMatch(new RegExp(`^keyhole-${address}-\\d{4}-\\d{2}-\\d{2}\\.keyhole\\.json$`))
  expect(backup.text).not.toContain('Holiday mails')
  await removeAccount(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('keys')

  await page.goto('/register?tab=restore')
  await page.locator('input[type=file]').setInputFiles({
    name: backup.name,
    mimeType: 'application/json',
    buffer: Buffer.from(backup.text),
  })
  const form = card(page, 'Restore from a backup')
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByLabel('Passphrase of the file').fill('certainly not this one')
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByText('This passphrase does not open it.')).toBeVisible()
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expect(page.getByText(address).first()).toBeVisible()
  await expectUnlocked(page)
  await visit(page, 'Identity', 'Grants')
  await expect(card(page, 'Granted so far').getByText('Holiday mails')).toBeVisible()

  await page.reload()
  await unlock(page, OTHER_PASSPHRASE)
})

test('a backup is merged into the account it is of, and loses nothing', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Before' })
  const backup = await exportBackup(page)
  await grant(page, { to: STRANGER, command: '/http/get', label: 'After' })
  await visit(page, 'Identity', 'Backup')
  const form = card(page, 'Merge a backup in')
  await form.locator('input[type=file]').setInputFiles({
    name: backup.name,
    mimeType: 'application/json',
    buffer: Buffer.from(backup.text),
  })
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Merge it in' }).click()
  await expect(form.getByText('nothing of yours was lost')).toBeVisible()
  await page.getByRole('tab', { name: 'Grants' }).click()
  const list = card(page, 'Granted so far')
  await expect(list.getByText('Before')).toHaveCount(1)
  await expect(list.getByText('After')).toHaveCount(1)
})

test('a file that is no backup is refused in words', async ({ page }) => {
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await page.locator('input[type=file]').setInputFiles({
    name: 'holiday.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"not": "a backup"}'),
  })
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByRole('alert')).toContainText(/backup/i)
  await expect(form.getByText('holiday.json')).toBeVisible()
})

test('accounts stand side by side: switch, and each has its own', async ({ page }) => {
  await makeVault(page, { name: 'Home' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Of home' })
  await makeVault(page, { name: 'Work', passphrase: OTHER_PASSPHRASE })
  await visit(page, 'Identity', 'Grants')
  await expect(page.getByText('Nothing is out there')).toBeVisible()
  await page.goto('/register?tab=accounts')
  await page.getByRole('button', { name: 'Switch to it' }).click()
  await expect(page.getByText('Account opened')).toBeVisible()
  await unlock(page, PASSPHRASE)
  await visit(page, 'Identity', 'Grants')
  await expect(card(page, 'Granted so far').getByText('Of home')).toBeVisible()
})
