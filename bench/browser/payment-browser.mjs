// In Chromium, a shop on another origin asks to be paid. Measures how long it waits for its answer after the person has approved.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startMerchant } from '../../apps/web/e2e/counterparts/merchant.js'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { serveFolder } from '../../apps/web/e2e/lasting/site.js'
import { PaymentWindow } from '../../apps/web/e2e/payments/payment-window.js'
import { expect, median } from '../measure.mjs'
import { makeVault } from './make-vault.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const ROUNDS = 20
const BAR = 150

/** When the window is clicked, in milliseconds since 1970. Reported at once, because the answer closes the window. */
const CLICKED =
  "new Promise((resolve) => addEventListener('click', () => resolve(Date.now()), { capture: true, once: true }))"

/** One payment. @returns the milliseconds from the click on “Approve” to the authorisation in the shop's page */
async function payOnce({ browser, site, merchant, order }) {
  merchant.shop.expect({ order, amount: 2500, currency: 'GBP' })
  await site.bringToFront()
  const total = { label: 'Tea', amount: { value: '25.00', currency: 'GBP' } }
  await site.getByLabel('Request').fill(JSON.stringify({ details: { id: order, total } }))
  await site.getByRole('button', { name: 'Pay' }).click()
  const window = await PaymentWindow.find(browser)
  await window.says('Approve £25.00')
  const clicked = window.evaluate(CLICKED)
  await window.press('Approve')
  const clickedAt = await clicked
  await site.locator('output#verdict:not(:empty)').waitFor()
  const verdict = JSON.parse(await site.locator('output#verdict').textContent())
  expect(verdict.paid?.order === order, 'the shop is paid, and verified it')
  const answeredAt = Number(await site.evaluate(() => document.body.dataset.answeredAt))
  expect(answeredAt >= clickedAt, 'a shop is answered after the click')
  await window.closed()
  await window.leave()
  return answeredAt - clickedAt
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const profile = newProfile()
  const client = await serveFolder(CLIENT)
  const merchant = await startMerchant(new URL(client.url).origin)
  const { browser, context, close } = await launch(profile)
  try {
    const vault = await context.newPage()
    await makeVault(vault, client.url)
    const site = await context.newPage()
    await site.goto(merchant.url)
    const taken = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const time = await payOnce({ browser, site, merchant, order: `A-${round}` })
      // The first round is a warm-up for both.
      if (round > 0) taken.push(time)
    }
    return [
      {
        title: 'A payment is approved, and the shop has its answer',
        note: `On this machine, the vault open in another tab. From the click on “Approve” to the authorisation in the shop's page, ${ROUNDS} times; the bar is a median of ${BAR} ms.`,
        rows: [
          { name: 'median', unit: 'ms', value: median(taken) },
          { name: 'slowest', unit: 'ms', value: Math.max(...taken) },
        ],
      },
    ]
  } finally {
    await close()
    await merchant.close()
    client.close()
    removeProfile(profile)
  }
}
