import { PASSPHRASE } from '../tasks/support/person.ts'
import { expect, PaymentWindow, tea, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

test('a shop with the method’s address alone gets an authorisation that it verifies offline', async ({
  keyhole,
  merchant,
  shop,
  vault: { did },
  approval: window,
}) => {
  const shown = await window.text()
  expect(shown).toContain(merchant.origin)
  expect(shown).toContain('A-1')
  // Nothing of it is in the address.
  expect(await window.evaluate('location.pathname + location.search + location.hash')).toBe(
    '/payment?request=1',
  )
  // A press before the moment is over is for something else.
  expect(
    await window.evaluate(`(() => {
      dispatchEvent(new Event('focus'))
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const button = [...document.querySelectorAll('button')].find((each) => each.innerText.startsWith('Approve'))
        button.click()
        resolve(button.getAttribute('aria-disabled') === 'true' || button.disabled)
      })))
    })()`),
  ).toBe(true)
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { by: did, order: 'A-1' } })
  await window.closed()

  const answer = await shop.answer()
  expect(answer).toEqual({
    methodName: `${keyhole}/payment`,
    details: { status: 'authorized', token: expect.any(String) },
  })
  // Once, to this shop, for this order.
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const given = answer as Parameters<typeof merchant.shop.collect>[1]
  expect(await merchant.shop.collect('A-1', given)).toEqual({ unpaid: 'Replayed' })
  expect(await merchant.shop.collect('A-1', { ...given, methodName: 'https://other.example/pay' })).toEqual({
    unpaid: 'methodName',
  })
})

test('the same request again is not signed a second time', async ({ client, keyhole, merchant, shop }) => {
  await withVault(client, keyhole)
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const first = await shop.pay(tea('A-1'))
  await first.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: {} })
  await first.closed()
  const second = await shop.pay(tea('A-1'))
  await second.says('You have authorised this order before.')
  await second.press('Approve')
  await second.says('This exact request was approved before.')
  await second.press('Back to the site')
  expect(await shop.verdict()).toEqual({ unpaid: 'refused' })
})

test('declining says so to the shop, with a vault and without one', async ({ client, keyhole, shop }) => {
  const without = await shop.pay(tea('A-1'))
  await without.says('There is no vault in this browser yet')
  await without.press('Decline')
  const answered = await shop.answer()
  expect(answered).toEqual({ methodName: `${keyhole}/payment`, details: { status: 'declined' } })
  await without.closed()

  await withVault(client, keyhole)
  const withOne = await shop.pay(tea('A-2'))
  await withOne.says('Approve £25.00')
  await withOne.press('Decline')
  expect(await shop.answer()).toEqual(answered)
  await withOne.closed()
})

test('a locked vault is unlocked inside, and then approves', async ({ client, keyhole, merchant, shop }) => {
  await withVault(client, keyhole)
  await client.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const window = await shop.pay(tea('A-1'))
  await window.says('The vault is locked')
  await window.type('main input[type=password]', PASSPHRASE)
  await window.press('Unlock')
  await window.says('Approve £25.00')
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
})

test('the shop takes its request back, and nothing is signed', async ({ shop, approval: window }) => {
  await shop.takeBack()
  expect(await shop.verdict()).toEqual({ abort: 'taken back' })
  expect(await shop.answer()).toEqual({ error: 'AbortError' })
  await window.closed()
})

test('the shop’s patience ends: it is told so, and the next request is as any other', async ({
  client,
  keyhole,
  launched,
  shop,
}) => {
  await withVault(client, keyhole)
  await shop.ask({
    ...tea('A-1'),
    methods: [{ supportedMethods: `${keyhole}/payment`, data: { timeout: 0 } }],
  })
  expect(await shop.verdict()).toEqual({ unpaid: 'timeout' })
  await PaymentWindow.none(launched.browser)
  const window = await shop.pay(tea('A-2'))
  await window.says('Approve £25.00')
  await window.press('Decline')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
})

test('a window that is loaded anew can approve nothing, and the shop is told no', async ({
  shop,
  approval: window,
}) => {
  await window.send('Page.reload')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
})

test('two shops at once: the second is refused by the browser, and the first goes on', async ({
  launched,
  merchant,
  shop,
  approval: window,
}) => {
  const second = await launched.context.newPage()
  await second.goto(merchant.url)
  await second.getByLabel('Request').fill(JSON.stringify(tea('A-2')))
  await second.getByRole('button', { name: 'Pay' }).click()
  await expect(second.locator('output#answer')).toHaveText(/AbortError/)
  await shop.page.bringToFront()
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
})
