// Requests and messages that no honest site or page sends: none signs, none tells whether there is a vault, and the page stays usable.
import type { Page } from '@playwright/test'
import { visit } from '../tasks/support/person.ts'
import { expect, expectOnePayment, ShopPage, tea, test, type Wanted, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 420_000 })

/** What Chromium itself refuses, before anybody is asked. */
const STOPPED: readonly (readonly [what: string, value: string, currency: string])[] = [
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
  ['a currency in Cyrillic', '25.00', 'GВР'],
  ['a currency of four letters', '25.00', 'GBPP'],
]

const { total } = tea('H').details
const penny = { label: 'Less', amount: { value: '0.01', currency: 'GBP' } }

/** A request, and what becomes of it. */
type Row = readonly [what: string, wanted: Wanted]

const withData = (keyhole: string, data: unknown): Wanted => ({
  ...tea('H-0'),
  methods: [{ supportedMethods: `${keyhole}/payment`, data }],
})

const amounts = (rows: typeof STOPPED): Row[] =>
  rows.map(([what, value, currency]) => [what, tea('H-1', { value, currency })])

/** One for each way in which Keyhole refuses: by the worker, and by the enclave. All the others: `hostile-requests.test.ts`, `payment-request.test.ts`. */
const refusedByKeyhole = (keyhole: string): Row[] => [
  ['nothing', tea('H-1', { value: '0' })],
  ['half a penny', tea('H-1', { value: '25.005' })],
  ['a currency that is none', tea('H-1', { currency: 'XYZ' })],
  ['an order that turns its direction', withData(keyhole, { order: 'A-1\u202e52' })],
  ['an order longer than one is read', withData(keyhole, { order: 'A'.repeat(1025) })],
  ['an id with a null in it', tea('A-1\u0000')],
  ['data that is a list', withData(keyhole, [])],
  ['a receipt’s key that is a site', withData(keyhole, { receiptKey: 'did:web:evil.example' })],
  [
    'the method with ?shop=1 behind it',
    { ...tea('H-2'), methods: [{ supportedMethods: `${keyhole}/payment?shop=1` }] },
  ],
]

/** Shown as they stand, with nothing of what was to deceive: the person declines them. */
const shownAsTheyStand = (keyhole: string): Row[] => [
  [
    'a modifier of another amount',
    {
      details: {
        id: 'H-4',
        total,
        modifiers: [{ supportedMethods: `${keyhole}/payment`, total: penny, data: { order: 'H-other' } }],
      },
    },
  ],
  [
    'items that do not add up',
    { details: { id: 'H-5', total, displayItems: [{ ...penny, label: 'Refund £1000 \u202e' }] } },
  ],
  [
    'a label that says something else',
    { details: { id: 'H-6', total: { ...total, label: 'You get £1000\u202e' } } },
  ],
  [
    'data that names another payee, amount and way',
    withData(keyhole, {
      origin: 'https://evil.example',
      payee: 'did:web:evil.example',
      value: '0.01',
      amount: 1,
      currency: 'EUR',
      mandate: 'bafy',
      byItself: true,
      status: 'authorized',
      token: 'C',
    }),
  ],
]

/** The window says why it is refused, and has no button that approves. @returns what the shop is told */
async function refusal(shop: ShopPage, wanted: Wanted): Promise<unknown> {
  const window = await shop.payOrRefused(wanted)
  expect(window, 'the window of Keyhole').toBeDefined()
  await window?.says('Back to the site')
  expect(await window?.text()).not.toMatch(/Approve/)
  await window?.press('Back to the site')
  const answer = await shop.answer()
  await window?.closed()
  return answer
}

/** Each hostile request reaches Keyhole and is refused. @returns what the shop is told of each */
async function refusals(
  shop: ShopPage,
  rows: readonly Row[],
): Promise<readonly (readonly [string, unknown])[]> {
  const told: (readonly [string, unknown])[] = []
  for (const [what, wanted] of rows)
    told.push([what, await test.step(what, async () => await refusal(shop, wanted))])
  return told
}

/** Nothing was signed by all of it, and what an honest shop asks for is paid. */
async function expectUsable(
  client: Page,
  merchant: { shop: { expect(order: object): void } },
  shop: ShopPage,
) {
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  await expect(client.getByText('No payments yet')).toBeVisible()
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const window = await shop.pay(tea('A-1'))
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
}

test('hostile requests are refused by Keyhole, the same with a vault and without one', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  const hostile = refusedByKeyhole(keyhole)
  const refused = { methodName: `${keyhole}/payment`, details: { status: 'refused' } }
  const expected = hostile.map(([name]) => [name, refused])
  expect(await refusals(shop, hostile)).toEqual(expected)
  await withVault(client, keyhole)
  expect(await refusals(shop, hostile)).toEqual(expected)
  await expectUsable(client, merchant, shop)
})

test('what is to deceive beside a payment is not shown, and not signed', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  const declineEach = async (waits: string) => {
    const told: unknown[] = []
    for (const [what, wanted] of shownAsTheyStand(keyhole)) {
      const window = await shop.pay(wanted)
      const shown = await window.says(waits)
      expect(shown, what).toContain(merchant.origin)
      expect(shown, what).not.toMatch(/evil|H-other|0\.01|1000|Refund|€/)
      await window.press('Decline')
      told.push(await shop.answer())
      await window.closed()
    }
    return told
  }
  const without = await declineEach('There is no vault in this browser yet')
  expect(without).toEqual(
    without.map(() => ({ methodName: `${keyhole}/payment`, details: { status: 'declined' } })),
  )
  await withVault(client, keyhole)
  expect(await declineEach('Approve £25.00')).toEqual(without)
  await expectUsable(client, merchant, shop)
})

test('what the browser refuses itself does not come to Keyhole, and is told the same', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  const method = { supportedMethods: `${keyhole}/payment` }
  const rows = [
    ...amounts(STOPPED),
    ['the method twice', { ...tea('H-8'), methods: [method, method] }] as const,
  ]
  const answers = async () => {
    const told: unknown[] = []
    for (const [what, wanted] of rows) {
      expect(await shop.payOrRefused(wanted), what).toBeUndefined()
      told.push(await shop.answer())
    }
    return told
  }
  const without = await answers()
  for (const answer of without) expect(JSON.stringify(answer)).toMatch(/RangeError|TypeError/)
  await withVault(client, keyhole)
  expect(await answers()).toEqual(without)
  await expectUsable(client, merchant, shop)
})

test('a request that was approved is not approved again, from whatever page of the shop it comes', async ({
  client,
  launched,
  merchant,
  shop,
  approval: window,
}) => {
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
  const given = await shop.answer()
  const page = await launched.context.newPage()
  await page.goto(merchant.url)
  for (const replaying of [shop, new ShopPage(page, launched)]) {
    const again = await replaying.pay(tea('A-1'))
    await again.says('You have authorised this order before.')
    await again.press('Approve')
    await again.says('This exact request was approved before.')
    await again.press('Back to the site')
    expect(await replaying.verdict()).toEqual({ unpaid: 'refused' })
    await again.closed()
  }
  // Nor does the shop take the authorisation of before a second time.
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const answer = given as Parameters<typeof merchant.shop.collect>[1]
  expect(await merchant.shop.collect('A-1', answer)).toEqual({ unpaid: 'Replayed' })
  await expectOnePayment(client)
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
  await expect(byHand.getByText('There’s no payment to approve here')).toBeVisible()
  expect(await askWorker(byHand, ASKING)).toEqual({ type: 'nothing' })

  // Words to the worker that are none of the protocol's, from either, with and without a port: after each it answers that there is nothing.
  const request = { payment: { origin: 'https://evil.example', value: '1.00', currency: 'GBP', order: 'x' } }
  for (const page of [client, byHand]) {
    for (const forged of [
      ...['sign', 'decline', 'refuse', 'not signed', '', `${ASKING}?`],
      ...[null, 7, [], [ASKING], { data: ASKING }, { token: 'forged' }, { token: 'forged', later: true }],
      ...[{ type: 'sign' }, { type: 'request', request }, { type: 'paymentrequest', ...request }],
    ]) {
      await page.evaluate(async (said) => {
        const { active } = await navigator.serviceWorker.ready
        active?.postMessage(said)
        active?.postMessage(said, [new MessageChannel().port2])
        // The right words, with nowhere for the answer to go.
        active?.postMessage('which payment is this window for')
      }, forged)
      expect(await askWorker(page, ASKING), JSON.stringify(forged)).toEqual({ type: 'nothing' })
    }
  }

  // Messages to windows: from their own page, as a frame or an opener would send them.
  const messages = `
    const request = { payment: { origin: 'https://evil.example', value: '1.00', currency: 'GBP', order: 'x' }, timeLimit: 1 }
    for (const forged of [{ type: 'sign' }, { type: 'request', request, until: 1 }, 'sign', { type: 'ended', status: 'aborted' }]) {
      window.postMessage(forged, '*', [new MessageChannel().port2])
      navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: forged }))
    }`
  await byHand.evaluate(messages)
  await window.evaluate(`(() => {${messages}})()`)
  await expect(byHand.getByText('There’s no payment to approve here')).toBeVisible()
  await expect(byHand.getByRole('button', { name: /Approve/ })).toHaveCount(0)

  // The shop's own page has no hold on the window, nor a frame of ours, nor on one that it opens at the same address itself.
  expect(await window.evaluate('window.opener === null && window.parent === window')).toBe(true)
  const opening = launched.context.waitForEvent('page')
  await shop.page.evaluate((url) => {
    Object.assign(globalThis, { held: open(url) })
  }, `${keyhole}/payment?request=1`)
  const opened = await opening
  await expect(opened.getByText('There’s no payment to approve here')).toBeVisible()
  expect(await opened.evaluate(() => globalThis.opener === null)).toBe(true)
  await shop.page.evaluate(
    (said) => {
      const held: Window | null = Reflect.get(globalThis, 'held')
      for (const each of [...said, 'sign', { type: 'sign' }, { token: 'forged' }])
        held?.postMessage(each, '*', [new MessageChannel().port2])
    },
    [{ type: 'request', request: { ...request, timeLimit: 1 }, until: 1, life: 'x' }],
  )
  expect(await askWorker(opened, ASKING)).toEqual({ type: 'nothing' })
  await expect(opened.getByText('There’s no payment to approve here')).toBeVisible()
  await opened.close()

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
