import { expect, test } from '../../fixtures.ts'
import { another, card, chooseFile, grant, makeVault, visit } from '../support/person.ts'

test('a token is dropped in, used within its limits, and the request is there to hand over', async ({
  page,
  browser,
  guard,
}) => {
  const { did } = await makeVault(page)
  const { page: giver, context } = await another(browser, guard)
  const { did: givers } = await makeVault(giver, { name: 'Giver' })
  const given = await grant(giver, { to: did, command: '/msg', limit: ['to', 'is', 'bob@example.com'] })
  await context.close()

  await visit(page, 'Identity', 'Received')
  const form = card(page, 'Take in a token')
  await chooseFile(form, { name: 'door.ucan', text: given })
  await form.getByLabel('A name for it').fill('Mails')
  await form.getByRole('button', { name: 'Verify and keep' }).click()
  await form.getByRole('button', { name: 'Use it now' }).click()
  await expect(page).toHaveURL(/[?&]use=baf/)

  const use = card(page, 'Use it')
  // What the policy leaves no choice about is filled in.
  await expect(use.getByLabel('to', { exact: true })).toHaveValue('bob@example.com')
  await use.getByLabel('Command').fill('/http')
  await expect(use.getByText('which does not cover /http')).toBeVisible()
  await use.getByLabel('Command').fill('/msg/send')
  await use.getByRole('button', { name: 'Add an argument' }).click()
  await expect(use.getByLabel('Argument 1: name')).toBeFocused()
  await use.getByLabel('Argument 1: name').fill('mail.count')
  await use.getByLabel('Argument 1: value').fill('90071992547409931')
  await expect(use.getByRole('region', { name: 'arguments' })).toContainText('"count": 90071992547409931')
  await expect(use.getByText('Allowed.', { exact: true })).toBeVisible()
  await use.getByRole('button', { name: 'Write them as JSON' }).click()
  await use.getByLabel('Arguments as JSON').fill('{"to": "bob@example.com", "to": 1}')
  await expect(use.getByText('stands twice')).toBeVisible()
  await use.getByLabel('Arguments as JSON').fill('{"to": "bob@example.com", "text": "Hello"}')
  await use.getByRole('button', { name: 'Sign the request' }).click()

  const result = card(page, 'Signed request')
  await expect(result.getByText('It will be accepted.')).toBeVisible()
  const request = (await result.getByRole('region', { name: 'request' }).textContent())?.trim() ?? ''
  expect(request).toMatch(/^[CP][A-Za-z0-9_-]{200,}$/)
  const signed = card(page, 'What you signed')
  await expect(signed.getByRole('listitem')).toHaveCount(1)

  // Outside of the limits nothing is promised, and the reason is said.
  await result.getByRole('button', { name: 'Another request' }).click()
  await use.getByLabel('to', { exact: true }).fill('eve@example.com')
  await expect(use.getByText('Refused.', { exact: true })).toBeVisible()
  await use.getByLabel('Who is to carry it out').fill(givers)
  await use.getByRole('button', { name: 'Sign the request' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'A limit of the grant is not met.' })).toBeVisible()
  await expect(page.getByText('It will be accepted.')).toHaveCount(0)
})

test('a page of received tokens without any, locked, and with a wrong link', async ({ page }) => {
  await makeVault(page)
  await page.getByRole('banner').getByRole('button', { name: 'Lock' }).click()
  await page.goto('/identity?tab=received&use=%3Cscript%3E&token=x')
  await expect(page.getByText('Nothing yet')).toBeVisible()
  await expect(card(page, 'The vault is locked')).toBeVisible()
  await expect(page).toHaveURL(/\/identity\?tab=received/)
})
