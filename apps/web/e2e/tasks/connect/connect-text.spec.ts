// An agent without a window asks for a payment, as text or as a link.

import type { Page } from '@playwright/test'
import { approve } from '../../presses.js'
import { expect, giveAgent, test } from '../support/app-fixtures.ts'
import { makeVault, visit } from '../support/person.ts'

const PAYMENT = { payee: 'did:web:shop.example', amount: 1999, currency: 'GBP', order: 'A-17' }
const COUNTERSIGN = { name: /^Countersign/ }

/** Opens `/connect` in a separate tab with this text after the #. */
async function answering(page: Page, link: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(link)
  return tab
}

const decline = async (tab: Page) => {
  await tab.getByRole('button', { name: 'Decline' }).click()
  await expect(tab.getByText('Declined', { exact: true })).toBeVisible()
  await expect(tab.getByRole('button', COUNTERSIGN)).toHaveCount(0)
}

test('an agent asks by text or link for a payment under its mandate: declined, answered once, and counted', async ({
  page,
  app,
}) => {
  const { did } = await makeVault(page)
  const mandate = await giveAgent(page, app.did)
  const invocation = await app.pay(mandate, did, PAYMENT)
  const link = await app.link({ invocation })

  await test.step('declined', async () => {
    const tab = await answering(page, link)
    await expect(tab.getByText('We can’t tell who sent this.')).toBeVisible()
    await expect(tab.getByText('£19.99', { exact: true }).first()).toBeVisible()
    await expect(tab.getByText('shop.example', { exact: true }).first()).toBeVisible()
    await decline(tab)
    await expect(tab.getByText('The person who asked won’t know unless you tell them.')).toBeVisible()
  })

  await test.step('pasted, and answered as text', async () => {
    const tab = await answering(page, '/connect')
    await tab.getByLabel('The request').fill(new URL(link).hash.slice(1))
    await tab.getByRole('button', { name: 'Read request' }).click()
    await approve(tab.getByRole('button', COUNTERSIGN))
    await expect(tab.getByText('Countersigned, counted and stored.')).toBeVisible()
    const token = (await tab.getByRole('region', { name: 'authorisation' }).textContent())?.trim() ?? ''
    expect(await app.read(token)).toMatchObject({ command: '/payment/authorize' })
    await expect(tab.getByRole('button', { name: 'Decline' })).toHaveCount(0)
  })

  await test.step('a repeated payment, and one above what is left, are refused', async () => {
    const over = await app.pay(mandate, did, { ...PAYMENT, amount: 1500, order: 'A-18' })
    const again = await answering(page, link)
    await expect(again.getByText('You’ve already countersigned this.')).toBeVisible()
    await expect(again.getByRole('button', COUNTERSIGN)).toHaveCount(0)
    const tab = await answering(page, await app.link({ invocation: over }))
    const countersign = tab.getByRole('button', COUNTERSIGN)
    await expect(countersign).toHaveAccessibleDescription(/^This is more than what is left/)
    await expect(countersign).toBeDisabled()
    await decline(tab)
  })

  await test.step('a payment can’t be countersigned unless the mandate’s holder requested it', async () => {
    const of = (text: string) => `/connect#keyhole-request-1.${Buffer.from(text).toString('base64url')}`
    for (const [what, wrong] of [
      ['no token', of('{"kind":"payment","invocation":"pay!"}')],
      ['an extra field', of(`{"kind":"payment","invocation":"${invocation}","amount":1}`)],
      ['a field twice', of(`{"kind":"payment","invocation":"${invocation}","invocation":"${invocation}"}`)],
      ['cut off', link.slice(0, -40)],
    ] as const) {
      const tab = await answering(page, wrong)
      await expect(tab.getByText('This request can’t be read'), what).toBeVisible()
      await expect(tab.getByRole('button', COUNTERSIGN), what).toHaveCount(0)
    }
    for (const token of [`${invocation.slice(0, -20)}`, mandate, 'C'.repeat(200)]) {
      const tab = await answering(page, await app.link({ invocation: token }))
      await expect(tab.getByRole('alert')).toBeVisible()
      await expect(tab.getByRole('button', COUNTERSIGN)).toHaveCount(0)
      await decline(tab)
    }
  })

  await visit(page, 'Payments', 'History')
  await expect(page.getByRole('list', { name: 'Payments' }).getByRole('listitem')).toHaveCount(1)
})

test('a look-alike payee chosen by the agent comes with a warning', async ({ page, app }) => {
  const { did } = await makeVault(page)
  const mandate = await giveAgent(page, app.did)
  const warning = 'This name has letters that can look like others.'
  const asked = async (payee: string) =>
    await app.link({ invocation: await app.pay(mandate, did, { ...PAYMENT, amount: 500, payee }) })

  const tab = await answering(page, await asked('did:web:www.xn--pple-43d.example%3A8443'))
  await expect(tab.getByText('www.xn--pple-43d.example:8443', { exact: true }).first()).toBeVisible()
  await expect(tab.getByText(warning)).toBeVisible()
  await approve(tab.getByRole('button', COUNTERSIGN))
  await expect(tab.getByText('Countersigned, counted and stored.')).toBeVisible()

  const honest = await answering(page, await asked('did:web:axn--apple.example'))
  await expect(honest.getByRole('button', COUNTERSIGN)).toBeVisible()
  await expect(honest.getByText(warning)).toHaveCount(0)
})
