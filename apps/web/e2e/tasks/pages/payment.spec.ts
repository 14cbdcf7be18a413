import { readFileSync } from 'node:fs'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { another, card, makeVault, openTab, tokenText, visit } from '../support/person.ts'
import { askFor, giveMandate, takeMandate } from '../support/spending.ts'

test('a budget is given to an agent, requested, counted, viewed, suspended and ended', async ({
  page,
  browser,
  guard,
}) => {
  test.setTimeout(240_000)
  const agent = await another(browser, guard)
  const { did } = await makeVault(agent.page, { name: 'Agent' })
  await makeVault(page)
  await giveMandate(page, 'An agent for a day', {
    Who: did,
    'Paid to': 'https://shop.example',
    'Maximum per payment': '20',
    Total: '30',
  })
  const made = card(page, 'Signed and stored')
  const mandate = await tokenText(made)
  await expect(made).toContainText('it goes to shop.example')
  await expect(made).toContainText('Budget: at most £30.00 a day and 5 payments a day.')

  await takeMandate(agent.page, mandate)
  await expect(agent.page.getByText('Refused.')).toHaveCount(0)
  const first = await askFor(agent.page, '1999', 'A-17')
  const second = await askFor(agent.page, '1500', 'A-18')
  const third = await askFor(agent.page, '100', 'A-19')

  await visit(page, 'Grants', 'Requests')
  const asked = card(page, 'What it asks for')
  const countersign = asked.getByRole('button', { name: /^Countersign/ })
  const bring = (request: string) =>
    card(page, 'Answer a request').getByLabel('Request', { exact: true }).fill(request)
  await page.getByLabel('Request', { exact: true }).fill('please pay')
  await expect(page.getByText('This isn’t a request')).toBeVisible()
  await page.getByLabel('Request', { exact: true }).fill(mandate)
  await expect(card(page, 'What it asks for').getByRole('alert')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Countersign/ })).toHaveCount(0)

  await bring(first)
  await approve(countersign)
  await expect(asked).toContainText('asks this vault to pay £19.99 to shop.example')
  await expect(asked.getByText('Countersigned, counted and stored.')).toBeVisible()
  await expect(asked.getByRole('region', { name: 'authorisation' })).toContainText(
    /^[CP][A-Za-z0-9_-]{100,}$/,
  )
  await expect(asked.getByRole('meter', { name: 'Money' })).toHaveAttribute('aria-valuenow', '1999')
  await asked.getByRole('button', { name: 'Another request' }).click()

  await bring(second)
  await expect(countersign).toHaveAccessibleDescription(
    'This is more than what is left of the mandate’s budget.',
  )
  await expect(countersign).toBeDisabled()

  await visit(page, 'Payments', 'Mandates')
  const item = page.getByRole('article', { name: 'Errand' })
  await expect(item.getByRole('meter', { name: 'Money' })).toHaveAttribute(
    'aria-valuetext',
    '£19.99 of £30.00 used',
  )
  await expect(item.getByRole('meter', { name: 'Payments' })).toHaveAttribute('aria-valuenow', '1')
  await item.getByRole('link', { name: 'Details' }).first().click()
  await expect(page).toHaveURL(/tab=mandates&mandate=/)
  await expect(item.getByRole('list', { name: 'Authorised by payee' })).toContainText(
    'shop.example£19.99 (1 payment)',
  )
  await item.getByRole('button', { name: 'Suspend' }).click()
  await expect(item.getByText('No payments until you resume it.')).toBeVisible()

  await visit(page, 'Grants', 'Requests')
  await bring(third)
  await expect(countersign).toHaveAccessibleDescription(/^This mandate is suspended\./)
  await expect(countersign).toBeDisabled()
  // Home leads to its page.
  await visit(page, 'Home')
  await page.getByRole('link', { name: 'See mandates' }).click()
  await expect(page.getByRole('button', { name: 'All mandates' })).toBeVisible()
  await item.getByRole('button', { name: 'Resume' }).click()
  await expect(item.getByRole('button', { name: 'Suspend' })).toBeVisible()
  await visit(page, 'Grants', 'Requests')
  await approve(countersign)
  await expect(page.getByText('Countersigned, counted and stored.')).toBeVisible()

  await visit(page, 'Payments', 'Mandates')
  await item.getByRole('button', { name: 'Revoke…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'Who loses access, and anyone they passed it on to:',
  )
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(item.getByText('revoked')).toBeVisible()
  await expect(item.getByRole('button', { name: 'Resume' })).toHaveCount(0)

  await openTab(page, 'History')
  const history = card(page, 'Authorised payments')
  await expect(history.getByRole('status').first()).toHaveText('2 payments · £20.99')
  const list = history.getByRole('list', { name: 'Payments' })
  await expect(list.getByRole('listitem').first()).toContainText('A-19')
  await list.getByRole('link', { name: 'Details' }).first().click()
  const paid = page.getByRole('article', { name: 'shop.example' })
  // The list has two of that name, and is shown until the page is.
  await expect(paid).toHaveCount(1)
  await expect(paid).toBeFocused()
  await paid.getByLabel('Receipt', { exact: true }).fill(mandate)
  await paid.getByRole('button', { name: 'Check and add' }).click()
  await expect(paid.getByRole('alert')).toBeVisible()
  await page.goBack()
  const downloading = page.waitForEvent('download')
  await history.getByRole('button', { name: 'Save all as CSV' }).click()
  const csv = readFileSync(await (await downloading).path(), 'utf8')
  expect(csv.split('\r\n').filter((line) => line.includes('did:web:shop.example'))).toHaveLength(2)
  expect(csv).toContain(',19.99,GBP,A-17,')
  await history.getByLabel('Receipt', { exact: true }).first().click()
  await page.getByRole('option', { name: 'Paid' }).click()
  await expect(history.getByText('No matches')).toBeVisible()
  await expect(page).toHaveURL(/receipt=ok/)
  await history.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(list).toBeVisible()

  // The palette knows payments although nothing has searched before, and that the mandate is over.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('shop')
  const lines = page.getByRole('dialog', { name: 'Find or do something' }).getByRole('option')
  await expect(lines.filter({ hasText: '£19.99 to shop.example' })).toContainText('payment')
  await expect(lines.filter({ hasText: 'Errand' })).toContainText('mandate · revoked')
  await page.keyboard.press('Escape')

  await visit(page, 'Search')
  await page.getByRole('combobox', { name: 'Search the vault' }).fill('kind:payment A-17')
  await page.getByRole('option', { name: /£19\.99 to shop\.example/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: '£19.99 to shop.example' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^on request$/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('option', { name: /£19\.99 to shop\.example/ })).toBeVisible()
})
