// Whether Keyhole can be paid with is no word on whether anyone has a vault.
import { expect, tea, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

test('a shop is told that it can be paid, with a vault, without one and with a locked one', async ({
  client,
  keyhole,
  shop,
}) => {
  // The first is the browser's word that there is a handler, the second what that handler's worker says.
  const canPay = () =>
    shop.page.evaluate(async (supportedMethods) => {
      const total = { label: 'Tea', amount: { value: '25.00', currency: 'GBP' } }
      const request = new PaymentRequest([{ supportedMethods }], { id: 'Q-1', total })
      const ask: unknown = Reflect.get(request, 'hasEnrolledInstrument')
      if (typeof ask !== 'function') throw new Error('The browser does not ask its handlers.')
      return { canMakePayment: await request.canMakePayment(), enrolled: await ask.call(request) }
    }, `${keyhole}/payment`)
  const always = { canMakePayment: true, enrolled: true }

  await test.step('in a browser that was at the vault’s page, and has none', async () => {
    await client.goto(keyhole)
    await client.evaluate(async () => void (await navigator.serviceWorker.ready))
    // The first payment makes it a handler that the browser knows.
    const window = await shop.pay(tea('A-1'))
    await window.says('There is no vault in this browser yet')
    await window.press('Decline')
    await window.closed()
    expect(await canPay()).toEqual(always)
  })

  await test.step('with a vault', async () => {
    await withVault(client, keyhole)
    expect(await canPay()).toEqual(always)
  })

  await test.step('locked', async () => {
    await client.bringToFront()
    const lock = client.getByRole('banner').getByRole('button', { name: 'Lock', exact: true })
    await lock.click()
    await expect(lock).toHaveCount(0)
    expect(await canPay()).toEqual(always)
  })

  await test.step('with no page of the vault open', async () => {
    await client.goto('about:blank')
    expect(await canPay()).toEqual(always)
  })
})

test('a shop of a browser that never was at the vault’s page is told the same', async ({ keyhole, shop }) => {
  const answer = await shop.page.evaluate(async (supportedMethods) => {
    const total = { label: 'Tea', amount: { value: '25.00', currency: 'GBP' } }
    return await new PaymentRequest([{ supportedMethods }], { id: 'Q-1', total }).canMakePayment()
  }, `${keyhole}/payment`)
  expect(answer).toBe(true)
})
