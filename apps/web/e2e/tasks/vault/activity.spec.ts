import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import {
  card,
  grant,
  makeVault,
  PASSPHRASE,
  STRANGER,
  unlock,
  unlockDialog,
  visit,
} from '../support/person.ts'

async function save(page: Page, button: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFileSync(await (await downloading).path(), 'utf8')
}

/** A vault with a grant, a wrong passphrase, and its log on the screen. */
async function withHistory(page: Page): Promise<void> {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill('not the passphrase at all')
  await dialog.getByLabel('Passphrase', { exact: true }).press('Enter')
  await expect(dialog.getByText('This passphrase does not open it.')).toBeVisible()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByLabel('Passphrase', { exact: true }).press('Enter')
  await expect(dialog).toBeHidden()
  await visit(page, 'Identity', 'Activity')
}

test('what was done is shown, newest first, with what was refused', async ({ page }) => {
  await withHistory(page)
  const log = card(page, 'Activity')
  const lines = log.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await expect(lines.filter({ hasText: 'Made the vault' })).toHaveCount(1)
  await expect(lines.filter({ hasText: 'Granted something' })).toHaveCount(1)
  await expect(lines.filter({ hasText: 'wrong proof' })).toHaveCount(1)
  await expect(lines.first()).toContainText('Unlocked')
  await expect(lines.last()).toContainText('Made the vault')
  // What is personal is in no line.
  await expect(log.getByText('Holiday mails')).toHaveCount(0)

  await log.getByLabel('Find').fill('granted')
  await expect(lines).toHaveCount(1)
  await log.getByLabel('Find').fill('')
  await log.getByLabel('Outcome').click()
  await page.getByRole('option', { name: 'Refused or failed' }).click()
  await expect(lines).toHaveCount(1)
  await expect(lines.first()).toContainText('wrong proof')
  // The address keeps what was chosen.
  await expect(page).toHaveURL(/outcome=refused/)
  await page.reload()
  await unlock(page)
  await expect(lines).toHaveCount(1)
  await expect(lines.first()).toContainText('wrong proof')
  await log.getByLabel('Act', { exact: true }).click()
  await page.getByRole('option', { name: 'Made the vault' }).click()
  await expect(log.getByText('Nothing fits')).toBeVisible()
  await log.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(/tab=activity$/)
  await expect(lines.first()).toContainText('Unlocked')
  // The button is gone with what it cleared; the keyboard goes on from where it stood.
  await expect(page.getByRole('tabpanel')).toBeFocused()

  // What a line is about leads on.
  await log.getByLabel('From day').fill('2100-01-01')
  await expect(log.getByText('Nothing fits')).toBeVisible()
  await log.getByLabel('From day').fill('')
  await lines.filter({ hasText: 'Granted something' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/search\?q=/)
})

test('it is saved as JSON and as CSV, as it is filtered', async ({ page }) => {
  await withHistory(page)
  const log = card(page, 'Activity')
  await expect(log.getByText('Made the vault')).toBeVisible()
  const all: unknown = JSON.parse(await save(page, 'Save as JSON'))
  expect(all).toMatchObject({ format: 'keyhole-activity-v1', missing: [], rewritten: [] })
  await log.getByLabel('Find').fill('granted')
  const csv = await save(page, 'Save as CSV')
  const rows = csv.trimEnd().split('\r\n')
  expect(rows[0]).toBe('number,time,tab,act,outcome,about')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,[^,]+,grant,done,/)
})

test('a line that was taken out is missed', async ({ page }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send' })
  await grant(page, { to: STRANGER, command: '/http/get' })
  await visit(page, 'Identity', 'Activity')
  await expect(page.getByText('Granted something')).toHaveCount(2)
  await expect(page.getByText('This log is not whole.')).toHaveCount(0)
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const writing = opening.result.transaction('metadata', 'readwrite')
          writing.objectStore('metadata').delete('activity:1')
          writing.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    `vault_${address}`,
  )
  await visit(page, 'Identity', 'Overview')
  await visit(page, 'Identity', 'Activity')
  await expect(page.getByText('This log is not whole.')).toBeVisible()
  await expect(page.getByText('Missing: 1.')).toBeVisible()
})

test('a locked vault shows nothing of it', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Activity')
  await expect(page.getByText('Made the vault')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  const gate = card(page, 'The vault is locked')
  await expect(gate).toBeVisible()
  await expect(page.getByText('Made the vault')).toHaveCount(0)

  await gate.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await gate.getByLabel('Passphrase', { exact: true }).press('Enter')
  await expect(page.getByText('Made the vault')).toBeVisible()
  // The form had the focus, and is gone.
  await expect(page.getByRole('tabpanel')).toBeFocused()
})
