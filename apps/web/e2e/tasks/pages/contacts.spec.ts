import type { Page } from '@playwright/test'
import { expectAccessible } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import {
  addContact,
  another,
  card,
  chooseBackup,
  choosePassphrase,
  expectLocked,
  expectUnlocked,
  FILE_PASSPHRASE,
  grant,
  makeVault,
  OTHER_PASSPHRASE,
  STRANGER,
  unlock,
  visit,
  writeBackup,
} from '../support/person.ts'

const granted = (page: Page) => card(page, 'Granted so far').getByRole('article', { name: 'Holiday mails' })

test('a contact’s name is shown everywhere, never while locked, and in another browser after a restore', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await expect(granted(page)).toContainText('You let Unknown key (…2doK) send messages')
  await granted(page).getByRole('button', { name: 'Name this key' }).click()
  const naming = page.getByRole('dialog', { name: 'Name this key' })
  await expect(naming.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(naming).toContainText(STRANGER)
  await expectAccessible(page)
  await naming.getByLabel('Name', { exact: true }).fill('Anna')
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect(naming).toHaveCount(0)

  // In the list, where a token is revoked, on the home page and in the graph.
  await expect(granted(page)).toContainText('You let Anna (…2doK) send messages')
  await expect(granted(page)).toBeFocused()
  await expect(granted(page).getByRole('button', { name: 'Name this key' })).toHaveCount(0)
  await granted(page).getByRole('link', { name: 'Details' }).click()
  const its = page.getByRole('article', { name: 'Holiday mails' })
  await expect(its.getByRole('button', { name: 'Anna', exact: true }).first()).toBeVisible()
  await its.getByRole('button', { name: 'Revoke…' }).click()
  const revoking = page.getByRole('alertdialog')
  await expect(revoking).toContainText('You let Anna (…2doK) send messages')
  await expect(revoking.getByRole('list', { name: 'Who is affected' })).toContainText('Anna (…2doK)')
  await revoking.getByRole('button', { name: 'Keep it' }).click()
  await visit(page, 'Home')
  const out = card(page, 'Active grants')
  await expect(out).toContainText('You let Anna (…2doK) send messages')
  await out.getByRole('button', { name: 'Graph' }).click()
  await expect(out.getByRole('button', { name: 'Anna: 1 grant' })).toBeVisible()

  // In search, in the palette, and in the "Who" field of a grant.
  await visit(page, 'Search')
  const box = page.getByRole('combobox', { name: 'Search the vault' })
  await box.fill('to:anna')
  await expect(page.getByText(/^1 entry found/)).toBeVisible()
  await expect(page.getByRole('option')).toContainText('Holiday mails')
  await box.fill('from:anna')
  await expect(page.getByText('No matches')).toBeVisible()
  await box.fill('kind:contact')
  await expect(page.getByText(/^1 entry found/)).toBeVisible()
  await box.press('Enter')
  await expect(page).toHaveURL(/tab=contacts&contact=/)
  await expect(page.getByRole('heading', { name: 'Anna', exact: true })).toBeVisible()
  await expect(card(page, 'What you granted')).toContainText('Holiday mails')
  await expectAccessible(page)
  await visit(page, 'Home')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('anna')
  const found = page.getByRole('dialog', { name: 'Find or do something' }).getByRole('option')
  await expect(found.filter({ hasText: 'contact' })).toContainText('Anna')
  await page.keyboard.press('Escape')
  await visit(page, 'Grants')
  const whom = card(page, 'New grant').getByLabel('Who', { exact: true })
  await whom.fill('ann')
  await expect(page.getByRole('option', { name: /^Anna/ })).toBeVisible()
  await whom.press('ArrowDown')
  await whom.press('Enter')
  await expect(whom).toHaveValue(STRANGER)

  // A lock removes the name, even from what is on screen. Unlocking brings it back.
  const backup = await writeBackup(page)
  expect(backup.text).not.toContain('Anna')
  await visit(page, 'Grants')
  await expect(granted(page)).toContainText('Anna')
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await expectLocked(page)
  const nameless = card(page, 'Granted so far').getByRole('article')
  await expect(nameless).toContainText('You let Key (…2doK) send messages')
  await expect(page.locator('body')).not.toContainText('Anna')
  await unlock(page)
  await expect(granted(page)).toContainText('You let Anna (…2doK) send messages')

  // The backup brings it to another browser.
  const { page: other, context } = await another(browser, guard)
  await other.goto('/register?tab=restore')
  const restore = card(other, 'Restore from a backup')
  await chooseBackup(restore, backup)
  await choosePassphrase(restore, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await restore.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
  await restore.getByRole('button', { name: 'Restore the vault' }).click()
  await expectUnlocked(other)
  await visit(other, 'Grants', 'Contacts')
  await expect(other.getByRole('list', { name: 'Contacts' })).toContainText('Anna')
  await context.close()
})

test('a contact that another tab names, renames and deletes changes here at once', async ({
  page,
  context,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const other = await context.newPage()
  await other.goto('/identity?tab=contacts')
  await expectUnlocked(other)
  await addContact(other, 'Anna', STRANGER)
  await visit(page, 'Grants')
  await expect(granted(page)).toContainText('You let Anna (…2doK) send messages')

  await other.getByRole('button', { name: 'Edit…' }).click()
  const renaming = other.getByRole('dialog', { name: 'Edit contact' })
  await renaming.getByLabel('Name', { exact: true }).fill('Anna Berger')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(granted(page)).toContainText('You let Anna Berger (…2doK) send messages')

  await other.getByRole('button', { name: 'Delete Anna Berger' }).click()
  await expect(granted(page)).toContainText('You let Unknown key (…2doK) send messages')
  await other.getByRole('button', { name: 'Undo' }).click()
  await expect(granted(page)).toContainText('You let Anna Berger (…2doK) send messages')
})
