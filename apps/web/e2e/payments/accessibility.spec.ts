// The window of a payment in each of its states, looked at with the eyes of axe. It is no page of Playwright's: axe is put into it.
import { AXE_RULES, AXE_SOURCE, axeFindings, COLOUR_RULES, runAxe } from '../axe-rules.ts'
import { unreadableTexts } from '../tasks/support/forced-colours.ts'
import { PASSPHRASE } from '../tasks/support/person.ts'
import { smallTargets } from '../tasks/support/targets.ts'
import { endWorkers, expect, type PaymentWindow, tea, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

/** Runs a function in the window. */
const run = (window: PaymentWindow, look: () => unknown) => window.evaluate(`(${look.toString()})()`)

const sideways = (window: PaymentWindow) =>
  window.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** On a phone, enlarged to 400 %, and in a person's own few colours. */
async function expectUsable(window: PaymentWindow, what: string): Promise<void> {
  const resize = (width: number, height: number, mobile: boolean) =>
    window.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile })
  await resize(360, 740, true)
  await window.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  expect(await run(window, smallTargets), `${what}: targets under 44 pixels`).toEqual([])
  await window.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await resize(320, 256, false)
  expect(await sideways(window), `${what}: pixels beyond the edge, at 320 × 256`).toBeLessThanOrEqual(0)
  await window.send('Emulation.clearDeviceMetricsOverride')
  const forced = (value: string) =>
    window.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] })
  await forced('active')
  await window.evaluate('Promise.all(document.getAnimations().map((each) => each.finished))')
  expect(await run(window, unreadableTexts), `${what}: forced colours`).toEqual([])
  await forced('none')
}

/** In light, and its colours in dark. */
async function expectAccessible(window: PaymentWindow, what: string): Promise<void> {
  await window.evaluate(AXE_SOURCE)
  for (const [value, rules, atLeast] of [
    ['light', AXE_RULES, 10],
    ['dark', COLOUR_RULES, 1],
  ] as const) {
    await window.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
    const results = await window.evaluate(runAxe(rules))
    expect(results.held, `${what}: rules that were looked at`).toBeGreaterThanOrEqual(atLeast)
    expect(axeFindings(results), `${what}, ${value}`).toEqual([])
  }
  expect(await sideways(window), `${what}: pixels beyond the edge`).toBeLessThanOrEqual(0)
  await expectUsable(window, what)
}

test('the window of a payment is accessible in each of its states', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  await test.step('without a vault', async () => {
    const window = await shop.pay(tea('A-0'))
    await window.says('There is no vault in this browser yet')
    await expectAccessible(window, 'without a vault')
    await window.press('Decline')
    await window.closed()
  })

  await withVault(client, keyhole)
  await client.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()

  await test.step('locked, then open', async () => {
    merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
    const window = await shop.pay(tea('A-1'))
    await window.says('The vault is locked')
    await expectAccessible(window, 'a locked vault')
    await window.type('main input[type=password]', PASSPHRASE)
    await window.press('Unlock')
    await window.says('Approve £25.00')
    await expectAccessible(window, 'a payment')
    await window.press('Approve')
    expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
    await window.closed()
  })

  await test.step('an order that was paid, and a request that was', async () => {
    const window = await shop.pay(tea('A-1'))
    await window.says('You have authorised this order before.')
    await expectAccessible(window, 'an order that was paid before')
    await window.press('Approve')
    await window.says('This exact request was approved before.')
    await expectAccessible(window, 'a request that was approved before')
    await window.press('Back to the site')
    await window.closed()
  })

  await test.step('an amount that is none, and a request that is none', async () => {
    const wrong = await shop.pay(tea('A-2', { value: '25.005' }))
    await wrong.says('Back to the site')
    await expectAccessible(wrong, 'an amount that is refused')
    await wrong.press('Back to the site')
    await wrong.closed()
    const malformed = await shop.pay({
      ...tea('A-3'),
      methods: [{ supportedMethods: `${keyhole}/payment`, data: [] }],
    })
    await malformed.says('This request cannot be approved.')
    await expectAccessible(malformed, 'a request that cannot be approved')
    await malformed.press('Back to the site')
    await malformed.closed()
  })

  await test.step('the way to the site is gone', async () => {
    const window = await shop.pay(tea('A-4'))
    await window.says('Approve £25.00')
    await endWorkers(client)
    await window.says('Your answer can’t reach the site any more.')
    await expectAccessible(window, 'a site that can no longer be answered')
  })
})

test('a payment is approved by keyboard alone', async ({ client, keyhole, merchant, shop }) => {
  await withVault(client, keyhole)
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const window = await shop.pay(tea('A-1'))
  await window.says('Approve £25.00')
  /** Presses Tab until something has the focus. */
  const tabTo = async (selector: string, text: string) => {
    for (let step = 0; step < 30; step += 1) {
      const isThere = await window.evaluate(
        `document.activeElement?.matches(${JSON.stringify(selector)}) && document.activeElement.innerText.startsWith(${JSON.stringify(text)})`,
      )
      if (isThere) return
      await window.key('keyDown', 'Tab')
      await window.key('keyUp', 'Tab')
    }
    throw new Error('Tab does not lead there.')
  }
  const press = async (key: 'Enter' | 'Space') => {
    await window.key('keyDown', key)
    await window.key('keyUp', key).catch(() => undefined)
  }
  const isOn = () =>
    window.evaluate('document.querySelector("main [role=switch]")?.getAttribute("aria-checked")')
  await tabTo('[role=switch]', '')
  // It counts presses only after what is asked was in view for a moment.
  await expect
    .poll(async () => {
      await press('Space')
      return await isOn()
    })
    .toBe('true')
  await tabTo('button', 'Approve')
  await expect
    .poll(() => window.evaluate('document.activeElement?.getAttribute("aria-disabled") !== "true"'))
    .toBe(true)
  await press('Enter')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
})
