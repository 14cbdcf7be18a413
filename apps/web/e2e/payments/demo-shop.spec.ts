import { readFileSync } from 'node:fs'
import { card, visit } from '../tasks/support/person.ts'
import { expect, openedWindow, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

test('the demo’s shop is paid by the real vault, checks it offline, and takes it once', async ({
  client,
  keyhole,
  launched,
}) => {
  const { did } = await withVault(client, keyhole)
  const shop = await launched.context.newPage()
  await shop.goto(`${keyhole}/demo?tab=shop`)
  await expect(card(shop, 'A shop')).toContainText('Nothing is charged.')
  const pay = shop.getByRole('button', { name: 'Pay €7.50' })
  await pay.click()
  const declining = await openedWindow(launched)
  await declining.says('Approve €7.50')
  await declining.press('Decline')
  await expect(card(shop, 'A shop')).toContainText('It was declined.')
  await declining.closed()

  await pay.click()
  const window = await openedWindow(launched)
  const order = await card(shop, 'A shop').getByRole('code').textContent()
  const shown = await window.says('Approve €7.50')
  expect(shown).toContain(new URL(keyhole).host)
  expect(shown).toContain(order)
  await window.press('Approve')
  const checked = card(shop, 'What the shop checks')
  await expect(checked.getByText('Paid.', { exact: true })).toBeVisible()
  await window.closed()
  await expect(checked.getByRole('img', { name: 'passed', exact: true })).toHaveCount(7)
  await expect(checked.getByRole('list', { name: 'Checks' })).toContainText(did)
  await checked.getByRole('button', { name: 'Show it to the shop again' }).click()
  await expect(checked.getByText('Replayed', { exact: true })).toBeVisible()

  // Its receipt is the shop's own word, and is kept with the payment.
  const receipt = (await checked.getByRole('region', { name: 'receipt' }).textContent()) ?? ''
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  const history = card(client, 'Authorised payments')
  const list = history.getByRole('list', { name: 'Payments' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: 'Details' }).click()
  const payment = client.getByRole('article')
  await payment.getByLabel('Receipt', { exact: true }).fill(receipt.trim())
  await payment.getByRole('button', { name: 'Check and add' }).click()
  await expect(payment.getByText('receipt: paid')).toBeVisible()
  await client.goBack()
  const downloading = client.waitForEvent('download')
  await history.getByRole('button', { name: 'Save all as CSV' }).click()
  const csv = readFileSync(await (await downloading).path(), 'utf8')
  expect(csv.split('\r\n')[1]).toMatch(new RegExp(`,7\\.50,EUR,${order},.*,ok,`))
})
