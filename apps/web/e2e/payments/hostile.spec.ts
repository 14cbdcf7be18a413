// Requests and messages that no honest site or page sends: none signs, none tells whether there is a vault, and the page stays usable.
import type { Page } from '@playwright/test'
import { visit } from '../tasks/person.ts'
import { expect, type ShopPage, tea, test, type Wanted, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 420_000 })

/** What the enclave refuses to sign; the browser itself refuses others before anybody is asked. */
const AMOUNTS: readonly (readonly [what: string, value: string, currency: string])[] = [
  ['nothing', '0', 'GBP'],
  ['nothing, to the penny', '0.00', 'GBP'],
  ['less than nothing', '-25.00', 'GBP'],
  ['an exponent', '1e3', 'GBP'],
  ['no number', 'NaN', 'GBP'],
  ['no end', 'Infinity', 'GBP'],
  ['a comma', '25,00', 'GBP'],
  ['a point alone', '.', 'GBP'],
  ['nothing behind the point', '25.', 'GBP'],
  ['two points', '2.5.0', 'GBP'],
  ['a sign before it', '+25.00', 'GBP'],
  ['a space before it', ' 25.00', 'GBP'],
  ['hexadecimal digits', '0x10', 'GBP'],
  ['Arabic digits', '٢٥.٠٠', 'GBP'],
  ['full-width digits', '２５.００', 'GBP'],
  ['more than can be kept exactly', '99999999999999999999', 'GBP'],
  ['half a penny', '25.005', 'GBP'],
  ['half a yen', '2500.5', 'JPY'],
  ['a tenth of a fils', '25.0001', 'KWD'],
  ['a currency that is none', '25.00', 'XYZ'],
  ['gold', '25.00', 'XAU'],
  ['a currency in Cyrillic', '25.00', 'GВР'],
  ['a currency of four letters', '25.00', 'GBPP'],
]

const ORDERS: readonly (readonly [what: string, order: string])[] = [
  ['that turns its direction', 'A-1\u202e52'],
  ['of nothing that is seen', '\u200b'],
  ['longer than one is read', 'A'.repeat(200)],
]

const withData = (keyhole: string, data: unknown): Wanted => ({
  ...tea('H-0'),
  methods: [{ supportedMethods: `${keyhole}/payment`, data }],
})

/** Every hostile request of the table, and what the shop is told. */
async function answers(shop: ShopPage, keyhole: string): Promise<readonly (readonly [string, unknown])[]> {
  const requests: readonly (readonly [what: string, wanted: Wanted])[] = [
    ...AMOUNTS.map(([what, value, currency]) => [what, tea('H-1', { value, currency })] as const),
    ...ORDERS.map(([what, order]) => [`an order ${what}`, withData(keyhole, { order })] as const),
    ['an order that is an object', withData(keyhole, { order: {} })],
    ['data that is a list', withData(keyhole, [])],
    ['a receipt’s key that is none', withData(keyhole, { receiptKey: 'did:web:evil.example' })],
    [
      'the method twice',
      { ...tea('H-2'), methods: [0, 1].map(() => ({ supportedMethods: `${keyhole}/payment` })) },
    ],
  ]
  const told: (readonly [string, unknown])[] = []
  for (const [what, wanted] of requests) {
    const answer = await test.step(what, () => answerTo(shop, wanted))
    told.push([what, answer])
  }
  return told
}

/** Where the browser asks the handler, its window says why it is refused, and has no button that approves. */
async function answerTo(shop: ShopPage, wanted: Wanted): Promise<unknown> {
  const window = await shop.payOrRefused(wanted)
  if (window === undefined) return await shop.answer()
  await window.says('Back to the site')
  expect(await window.text()).not.toMatch(/Approve/)
  await window.press('Back to the site')
  const answer = await shop.answer()
  await window.closed()
  return answer
}

test('hostile requests are answered the same with a vault and without one, and nothing is signed', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  const without = await answers(shop, keyhole)
  for (const [what, answer] of without) {
    expect(JSON.stringify(answer), what).not.toContain('authorized')
    expect(JSON.stringify(answer), what).toMatch(/"status":"refused"|RangeError|TypeError|NotSupportedError/)
  }
  await withVault(client, keyhole)
  expect(await answers(shop, keyhole)).toEqual(without)
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  await expect(client.getByText('Nothing was paid yet')).toBeVisible()
  // What an honest shop asks for after all of it.
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const window = await shop.pay(tea('A-1'))
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
})

/** What a page that is not the payment's window hears from the worker when it asks for the payment. */
const askWorker = (page: Page, message: unknown) =>
  page.evaluate(async (asked) => {
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data)
    })
    active?.postMessage(asked, [port2])
    for (const forged of ['sign', { token: 'forged' }, 'decline', 'refuse']) port1.postMessage(forged)
    return await answer
  }, message)

const ASKING = 'which payment is this window for'

test('forged messages reach neither the worker nor the window', async ({
  client,
  keyhole,
  launched,
  merchant,
  shop,
  approval: window,
}) => {
  // Another tab of the same origin, with the right words and a port: it hears that there is nothing.
  expect(await askWorker(client, ASKING)).toEqual({ type: 'nothing' })
  // A window opened by hand at the payment's own address, with a payment written into it.
  const byHand = await launched.context.newPage()
  await byHand.goto(
    `${keyhole}/payment?request=1&origin=https://shop.example&value=1.00&currency=GBP&order=A-1#approve`,
  )
  await expect(byHand.getByText('No payment waits in this window')).toBeVisible()
  expect(await askWorker(byHand, ASKING)).toEqual({ type: 'nothing' })

  // Words to the worker that are none of the protocol's, with and without a port.
  await client.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    const request = {
      payment: { origin: 'https://evil.example', value: '1.00', currency: 'GBP', order: 'x' },
    }
    for (const forged of [
      'sign',
      'decline',
      'refuse',
      { token: 'forged' },
      { type: 'request', request },
      { type: 'paymentrequest', ...request },
      null,
      ['which payment is this window for'],
    ]) {
      active?.postMessage(forged)
      active?.postMessage(forged, [new MessageChannel().port2])
    }
    active?.postMessage('which payment is this window for')
  })

  // Messages to windows: from their own page, as a frame or an opener would send them.
  const messages = `
    const request = { payment: { origin: 'https://evil.example', value: '1.00', currency: 'GBP', order: 'x' }, timeLimit: 1 }
    for (const forged of [{ type: 'sign' }, { type: 'request', request, until: 1 }, 'sign', { type: 'ended', status: 'aborted' }]) {
      window.postMessage(forged, '*', [new MessageChannel().port2])
      navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: forged }))
    }`
  await byHand.evaluate(messages)
  await window.evaluate(`(() => {${messages}})()`)
  await expect(byHand.getByText('No payment waits in this window')).toBeVisible()
  await expect(byHand.getByRole('button', { name: /Approve/ })).toHaveCount(0)

  // The shop's own page has no hold on the window, nor a frame of ours.
  expect(await window.evaluate('window.opener === null && window.parent === window')).toBe(true)

  const shown = await window.text()
  expect(shown).toContain(merchant.origin)
  expect(shown).not.toContain('evil.example')
  await shop.page.bringToFront()
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
  // Afterwards, with the answer gone out, there is nothing to be had either.
  expect(await askWorker(client, ASKING)).toEqual({ type: 'nothing' })
})
