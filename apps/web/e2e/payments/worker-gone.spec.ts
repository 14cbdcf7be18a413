// The browser may end a service worker at any time, and with it the one way to the site that waits: the window says so, and what was
// signed by then.
import { giveMandate } from '../tasks/support/spending.ts'
import {
  endWorkers,
  expect,
  expectOnePayment,
  holdWriting,
  type PaymentWindow,
  type ShopPage,
  tea,
  test,
} from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

const LOST = 'Your answer can’t reach the site any more.'

/** Closes what still waits, as a person does who begins again. */
async function beginAgain(shop: ShopPage, window: PaymentWindow): Promise<void> {
  await shop.page.reload()
  await window.closed()
}

test('before anything was signed: it says so, and the same request can be approved later', async ({
  client,
  shop,
  approval: window,
}) => {
  await endWorkers(client)
  const shown = await window.says(LOST)
  expect(shown).toContain('Nothing was signed.')
  expect(shown).not.toContain('Approve')
  // The page goes on.
  await window.evaluate(`document.querySelector('main a[href*="history"]').click()`)
  await window.says('No payments yet')
  await beginAgain(shop, window)
  const again = await shop.pay(tea('A-1'))
  await again.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await again.closed()
})

test('while it is signed: it says what was signed and counted, and that nobody has it', async ({
  client,
  merchant,
  vault: { address },
  shop,
}) => {
  await giveMandate(client, 'Small amounts, automatically', {
    Total: '6',
    'Paid to': new URL(merchant.origin).host,
  })
  await expect(client.getByText('Signed and stored')).toBeVisible()
  const release = await holdWriting(client, address)
  const window = await shop.pay(tea('A-1', { value: '4.50' }))
  await window.says('Paying under your mandate…')
  await release.awaited()
  await endWorkers(client)
  await release.now()
  const shown = await window.says(LOST)
  expect(shown).toContain('£4.50')
  expect(shown).toContain('was signed but didn’t arrive')
  expect(shown).toContain('Your mandate has counted it.')
  await beginAgain(shop, window)
  await expectOnePayment(client)
  // The same request again: nobody signs it twice, whatever the worker remembers.
  const again = await shop.pay(tea('A-1', { value: '4.50' }))
  await again.says('You have authorised this order before.')
  await again.press('Approve')
  await again.says('This exact request was approved before.')
  await again.press('Back to the site')
  expect(await shop.verdict()).toEqual({ unpaid: 'refused' })
})
