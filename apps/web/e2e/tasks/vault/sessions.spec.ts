import { expect, test } from '../../fixtures.ts'
import { card, expectUnlocked, makeVault, sectionButton, visit } from '../support/person.ts'

test('tabs know of each other; one is ended and says why, with a way back; a killed one disappears', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  const second = await context.newPage()
  await guard.watch(second)
  await second.goto('/identity')
  await expectUnlocked(second)

  await visit(page, 'Settings', 'Apps and tabs')
  const tabs = card(page, 'Open tabs').getByRole('list', { name: 'Open tabs' })
  await expect(tabs.getByRole('listitem')).toHaveCount(2)
  await expect(tabs.getByText('This tab', { exact: true })).toHaveCount(1)
  await expect(card(page, 'Connected apps').getByText('No app is connected')).toBeVisible()

  await tabs.getByRole('button', { name: /^End tab/ }).click()
  await expect(tabs.getByRole('listitem')).toHaveCount(1)
  await expect(tabs).toBeFocused()
  await expect(second.getByRole('heading', { name: 'This tab was ended' })).toBeFocused()
  await expect(sectionButton(second, 'Keys')).toHaveCount(0)
  await expectUnlocked(page)

  await second.getByRole('button', { name: 'Open the vault here again' }).click()
  await expectUnlocked(second)
  await expect(sectionButton(second, 'Keys')).toBeVisible()
  await expect(tabs.getByRole('listitem')).toHaveCount(2)

  const third = await context.newPage()
  await guard.watch(third)
  await third.goto('/')
  await expectUnlocked(third)
  await expect(tabs.getByRole('listitem')).toHaveCount(3)
  await third.close()
  await expect(tabs.getByRole('listitem')).toHaveCount(2)

  await visit(second, 'Settings', 'Apps and tabs')
  await expect(card(second, 'Open tabs').getByRole('listitem')).toHaveCount(2)
  await visit(page, 'Activity')
  await expect(page.getByRole('list', { name: 'Activity' })).toContainText(/End tab|Ended/)
})
