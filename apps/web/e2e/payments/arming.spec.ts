// What is no press of the person's approves nothing; each way in which a person presses does.
import { clickInRhythm, putInFront } from '../presses.js'
import { expect, type PaymentWindow, tea, test } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

const call = (act: unknown, argument: unknown) => `(${act})(${JSON.stringify(argument)})`

/** Puts the focus on the button, in a window that is in front or is not. */
async function prepare(window: PaymentWindow, isInFront: boolean): Promise<void> {
  await window.evaluate(call(putInFront, isInFront))
  await window.evaluate(
    `[...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith('Approve')).focus()`,
  )
}

test('presses that begin before the button works approve nothing: held, or in a rhythm', async ({
  shop,
  approval: window,
}) => {
  await window.takes('Approve')
  const at = { ...(await window.place('Approve')), button: 'left', clickCount: 1 }
  await test.step('a pointer held down', async () => {
    await prepare(window, false)
    await window.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
    await window.evaluate(call(putInFront, true))
    await window.takes('Approve')
    await window.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
  })
  for (const key of ['Enter', 'Space'] as const)
    await test.step(`${key} held down`, async () => {
      await prepare(window, false)
      await window.key('keyDown', key)
      await window.evaluate(call(putInFront, true))
      await window.takes('Approve')
      await window.key('keyDown', key, { autoRepeat: true })
      await window.key('keyDown', key, { autoRepeat: true })
      await window.key('keyUp', key)
    })
  await test.step('clicks in a rhythm', async () => {
    await prepare(window, false)
    await window.evaluate(call(clickInRhythm, 'Approve'))
  })
  await test.step('clicks in a rhythm, at the switch and at the button', async () => {
    await window.takes('Approve')
    await window.evaluate(`document.querySelector('main [role="switch"]').click()`)
    await prepare(window, true)
    await window.evaluate(`(${clickInRhythm})('Approve', true)`)
  })
  await window.takes('Approve')
  await window.press('Decline')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
})

test('in the browser’s own sheet who asks, how much and the answers are in sight at once', async ({
  shop,
  approval: window,
}) => {
  const size = { width: 608, height: 443, deviceScaleFactor: 1, mobile: false }
  await window.send('Emulation.setDeviceMetricsOverride', size)
  // Nothing of it is scrolled to: what is not in sight by itself never comes to be approved.
  const isReady = `(() => {
    const named = (name) => [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith(name))
    const consent = document.querySelector('main [role="switch"]')
    const isTaken = consent !== null && consent.getAttribute('aria-disabled') !== 'true'
    return scrollY === 0 && isTaken && [named('Approve'), named('Decline')].every((each) => each.getBoundingClientRect().bottom <= innerHeight)
  })()`
  await expect.poll(() => window.evaluate(isReady)).toBe(true)
  await window.press('Decline')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
})

test('what is out of sight is not approved', async ({ shop, approval: window }) => {
  await window.takes('Approve')
  const size = { width: 360, deviceScaleFactor: 1, mobile: false }
  await window.send('Emulation.setDeviceMetricsOverride', { ...size, height: 40 })
  expect(
    await window.evaluate(`(async () => {
      const drawn = () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))
      await drawn()
      const button = [...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith('Approve'))
      button.scrollIntoView({ block: 'center' })
      await drawn()
      button.click()
      return button.getAttribute('aria-disabled')
    })()`),
  ).toBe('true')
  await window.send('Emulation.setDeviceMetricsOverride', { ...size, height: 700 })
  await window.press('Decline')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
})

const ways: Record<string, (window: PaymentWindow) => Promise<unknown>> = {
  Enter: async (window) => {
    await prepare(window, true)
    await window.takes('Approve')
    await window.key('keyDown', 'Enter')
  },
  Space: async (window) => {
    await prepare(window, true)
    await window.takes('Approve')
    await window.key('keyDown', 'Space')
    await window.key('keyUp', 'Space')
  },
  'a finger': async (window) => {
    await window.takes('Approve')
    const touchPoints = [await window.place('Approve')]
    await window.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await window.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  },
  'a click of which nothing was pressed': async (window) => {
    await window.takes('Approve')
    await window.evaluate(
      `[...document.querySelectorAll('main button')].find((each) => each.innerText.startsWith('Approve')).click()`,
    )
  },
}
test('a person approves by each way in which a person presses', async ({ vault: _, merchant, shop }) => {
  for (const [at, [way, press]] of Object.entries(ways).entries())
    await test.step(way, async () => {
      const order = `B-${at}`
      merchant.shop.expect({ order, amount: 2500, currency: 'GBP' })
      await shop.page.reload()
      const window = await shop.pay(tea(order))
      await window.says('Approve £25.00')
      // The window may close before it answers.
      await press(window).catch(() => undefined)
      expect(await shop.verdict()).toMatchObject({ paid: { order } })
    })
})
