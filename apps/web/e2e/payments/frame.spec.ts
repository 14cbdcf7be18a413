// A frame of another site asks in the name of the page that the person is on: the one name would be seen, and the other paid.
import { startMerchant } from '../counterparts/merchant.js'
import { visit } from '../tasks/support/person.ts'
import { expect, openedWindow, ShopPage, tea, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

const SCREEN = 'It comes from a part of the page that belongs to another site.'

test('a frame of another site is shown as such, and nothing of it can be approved', async ({
  client,
  keyhole,
  launched,
  merchant,
  shop,
}) => {
  const other = await startMerchant(keyhole)
  await shop.page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.allow = 'payment'
    frame.src = src
    document.body.append(frame)
  }, other.url)
  const frame = shop.page.frameLocator('iframe')

  const askedAndRefused = async (order: string) => {
    await shop.page.bringToFront()
    // Filled by its script, which hears the button from then on.
    await expect(frame.getByLabel('Request')).not.toHaveValue('')
    await frame.getByLabel('Request').fill(JSON.stringify(tea(order)))
    await frame.getByRole('button', { name: 'Pay' }).click()
    const window = await openedWindow(launched)
    const shown = await window.says(SCREEN)
    expect(shown).toContain('This request cannot be approved.')
    expect(shown).toContain('Nothing was signed.')
    // The page's own name, as the browser has it, and neither the frame's nor its amount.
    expect(shown).toContain(merchant.origin)
    expect(shown).not.toContain(other.origin)
    expect(shown).not.toMatch(/£|25\.00|vault/)
    expect(await window.evaluate('document.querySelectorAll("main button, main input, main a").length')).toBe(
      1,
    )
    await window.press('Back to the site')
    const answer = frame.locator('output#answer')
    await expect(answer).not.toBeEmpty()
    await window.closed()
    return JSON.parse((await answer.textContent()) ?? '')
  }

  const refused = { methodName: `${keyhole}/payment`, details: { status: 'refused' } }
  expect(await askedAndRefused('F-1')).toEqual(refused)
  await withVault(client, keyhole)
  expect(await askedAndRefused('F-2')).toEqual(refused)
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  await expect(client.getByText('No payments yet')).toBeVisible()

  // The same site in a page of its own is asked about as any other.
  other.shop.expect({ order: 'F-1', amount: 2500, currency: 'GBP' })
  const page = await launched.context.newPage()
  await page.goto(other.url)
  const own = new ShopPage(page, launched)
  const window = await own.pay(tea('F-1'))
  expect(await window.says('Approve £25.00')).toContain(other.origin)
  await window.press('Approve')
  expect(await own.verdict()).toMatchObject({ paid: { order: 'F-1' } })
  await other.close()
})

test('a request under another address of the method says so, and is refused', async ({ keyhole, shop }) => {
  const window = await shop.pay({
    ...tea('F-3'),
    methods: [{ supportedMethods: `${keyhole}/payment?shop=1` }],
  })
  const shown = await window.says('It’s for another payment method, or lists this one twice.')
  expect(shown).toContain('Nothing was signed.')
  expect(shown).not.toMatch(/Approve|£/)
  await window.press('Back to the site')
  expect(await shop.answer()).toMatchObject({ details: { status: 'refused' } })
})
