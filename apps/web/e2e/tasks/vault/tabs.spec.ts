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

test('one unlock serves both tabs, a lock reaches both, what is made in one is in the other', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  const second = await context.newPage()
  await guard.watch(second)
  await second.goto('/')
  await expectUnlocked(second)

  await visit(second, 'Grants')
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'From the first tab' })
  await expect(card(second, 'Granted so far').getByText('From the first tab')).toBeVisible()

  await second.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await expectLocked(second)
  await expectLocked(page)
  await expect(page.getByText('From the first tab')).toHaveCount(0)

  await unlock(page)
  await expectUnlocked(second)
  await expect(card(second, 'Granted so far').getByText('From the first tab')).toBeVisible()

  // A key made in one can be used in the other.
  await visit(second, 'Settings', 'Keys')
  await visit(page, 'Settings', 'Keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('Shared')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(card(second, 'Your keys').getByText('Shared', { exact: true })).toBeVisible()
  const sign = card(second, 'Sign')
  await sign.getByLabel('Text to sign').fill('hello')
  await sign.getByLabel('Signed with').click()
  await second.getByRole('option', { name: 'Shared' }).click()
  await sign.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(sign.getByText('Signed this text.')).toBeVisible()
})
