import { expect, test } from '../../fixtures.ts'
import {
  card,
  expectLocked,
  expectUnlocked,
  grant,
  makeVault,
  STRANGER,
  unlock,
  visit,
} from '../support/person.ts'

test('a new visitor is told what Keyhole is, and makes a vault', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('one folder')
  await page
    .getByRole('link', { name: /Create vault/ })
    .last()
    .click()
  const { address } = await makeVault(page)
  await expectUnlocked(page)
  await page.getByRole('link', { name: 'Go to your vault' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal')
  await expect(page.getByText('No backup yet')).toBeVisible()
  await visit(page, 'Settings', 'Your account')
  await expect(page.getByText(address).first()).toBeVisible()
})

test('a reload locks; the passphrase brings everything back', async ({ page }) => {
  const { did } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await page.reload()
  await expectLocked(page)
  await visit(page, 'Grants')
  await expect(card(page, 'The vault is locked')).toBeVisible()
  // What is sealed is not shown: the token's text is in the clear, its label is not.
  await expect(card(page, 'Granted so far').getByText('send messages')).toBeVisible()
  await expect(page.getByText('Holiday mails')).toHaveCount(0)

  await unlock(page)
  await expect(card(page, 'Granted so far').getByText('Holiday mails')).toBeVisible()
  await visit(page, 'Settings', 'Your account')
  await expect(page.getByText(did).first()).toBeVisible()
})
