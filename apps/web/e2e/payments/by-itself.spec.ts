// What the vault pays under its own mandate: nobody presses anything, and it is shown and counted.
import type { Page } from '@playwright/test'
import { expectLocked, visit } from '../tasks/support/person.ts'
import { giveMandate } from '../tasks/support/spending.ts'
import { expect, openedWindow, tea, test } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

const expectSpent = async (client: Page, money: string) => {
  await visit(client, 'Payments', 'Mandates')
  await expect(
    client.getByRole('article', { name: 'Small sums' }).getByRole('meter', { name: 'Money' }),
  ).toHaveAttribute('aria-valuetext', money)
}

test('small sums are paid by themselves until the budget is used up; what does not fit asks a person', async ({
  client,
  keyhole,
  merchant,
  shop,
  vault: { did },
}) => {
  await giveMandate(client, 'Small amounts, automatically', {
    Total: '6',
    'Paid to': new URL(merchant.origin).host,
  })
  await expect(client.getByText('Signed and stored')).toBeVisible()

  await test.step('it is paid without a press, shown, and given to the shop', async () => {
    merchant.shop.expect({ order: 'A-1', amount: 450, currency: 'GBP' })
    const window = await shop.pay(tea('A-1', { value: '4.50' }))
    const shown = await window.says('Authorised automatically: £4.50.')
    expect(shown).toContain(merchant.origin)
    expect(shown).toContain('A-1')
    expect(shown).not.toContain('Approve')
    expect(await shop.verdict()).toMatchObject({ paid: { by: did, order: 'A-1' } })
    await window.closed()
    await client.bringToFront()
    await expectSpent(client, '£4.50 of £6.00 used')
    await visit(client, 'Payments', 'History')
    await expect(client.getByText('approved automatically', { exact: true })).toBeVisible()
  })

  await test.step('more than is left waits for a person, and is not counted', async () => {
    merchant.shop.expect({ order: 'A-2', amount: 151, currency: 'GBP' })
    const window = await shop.pay(tea('A-2', { value: '1.51' }))
    const shown = await window.says('Approve £1.51')
    expect(shown).toContain('its budget is used up for now')
    await window.press('Approve')
    expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-2' } })
    await window.closed()
    await client.bringToFront()
    await expectSpent(client, '£4.50 of £6.00 used')
  })

  await test.step('an order that was paid is not paid a second time by itself', async () => {
    const again = { ...tea('again', { value: '1.00' }), methods: [withOrder(keyhole, 'A-1')] }
    const window = await shop.pay(again)
    await window.says('You have authorised this order before.')
    await window.press('Decline')
    expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
    await window.closed()
  })

  await test.step('a locked vault pays nothing by itself', async () => {
    await client.bringToFront()
    await client.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
    await expectLocked(client)
    const window = await shop.pay(tea('A-3', { value: '1.00' }))
    await window.says('The vault is locked')
    await window.press('Decline')
    expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
  })
})

test('a site that no mandate names is paid nothing for being visited', async ({
  client,
  keyhole,
  launched,
  shop: { page },
  vault: _,
}) => {
  await giveMandate(client, 'Small amounts, automatically', { 'Paid to': 'shop.example' })
  await expect(client.getByText('Signed and stored')).toBeVisible()
  // A browser lets a page ask once without a press.
  await page.addInitScript((method) => {
    addEventListener('load', async () => {
      const total = { label: 'Tea', amount: { value: '4.50', currency: 'GBP' } }
      const asking = new PaymentRequest([{ supportedMethods: method }], { total }).show()
      document.body.dataset.pressed = String(navigator.userActivation.hasBeenActive)
      const answer = await asking
      document.body.dataset.answer = JSON.stringify(answer.details)
      await answer.complete('unknown')
    })
  }, `${keyhole}/payment`)
  await page.bringToFront()
  await page.reload()
  const window = await openedWindow(launched)
  await window.says('Approve £4.50')
  await expect(page.locator('body')).toHaveAttribute('data-pressed', 'false')
  await window.press('Decline')
  await expect(page.locator('body')).toHaveAttribute('data-answer', '{"status":"declined"}')
  await window.closed()
  await client.bringToFront()
  await expectSpent(client, '£0.00 of £20.00 used')
})

const withOrder = (keyhole: string, order: string) => ({
  supportedMethods: `${keyhole}/payment`,
  data: { order },
})
