import { makeReceiptKey } from '../counterparts/receipt-key.js'
import { card, visit } from '../tasks/support/person.ts'
import { expect, tea, test } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

test('the receipt of a shop on another origin is kept with its payment, and nobody else’s', async ({
  client,
  keyhole,
  merchant,
  shop,
  vault: { did },
}) => {
  const receiptKey = await merchant.giveReceipts()
  const stranger = await makeReceiptKey()
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const data = { order: 'A-1', receiptKey }
  const window = await shop.pay({
    ...tea('R-1'),
    methods: [{ supportedMethods: `${keyhole}/payment`, data }],
  })
  await window.press('Approve')
  const verdict = await shop.verdict()
  expect(verdict).toEqual({
    paid: { cid: expect.any(String), task: expect.any(String), by: did, order: 'A-1' },
    receipt: expect.any(String),
  })
  const { paid, receipt } = verdict as { paid: { task: string }; receipt: string }
  await window.closed()

  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  const list = card(client, 'Authorised payments').getByRole('list', { name: 'Payments' })
  await list.getByRole('link', { name: 'Details' }).click()
  const payment = client.getByRole('article')
  const field = payment.getByLabel('Receipt', { exact: true })
  // About this very payment, and in order in itself.
  await field.fill(await stranger.confirm(paid.task))
  await payment.getByRole('button', { name: 'Check and add' }).click()
  await expect(field).toHaveAccessibleDescription(/isn’t from/)
  await expect(payment.getByText('receipt: paid')).toHaveCount(0)

  await field.fill(receipt)
  await payment.getByRole('button', { name: 'Check and add' }).click()
  await expect(payment.getByText('receipt: paid')).toBeVisible()
  await expect(payment.getByRole('region', { name: 'receipt' })).toHaveText(receipt)
  await stranger.close()
})
