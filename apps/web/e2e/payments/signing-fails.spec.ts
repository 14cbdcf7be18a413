// A signing that comes to nothing: it is told, the request stays good for one signature, and never for two.
import type { CDPSession, Page } from '@playwright/test'
import { PASSPHRASE, visit } from '../tasks/person.ts'
import { expect, holdWriting, tea, test, withVault } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

const expectOnePayment = async (client: Page) => {
  await client.bringToFront()
  await visit(client, 'Payments', 'History')
  await expect(client.getByRole('list', { name: 'Payments' }).getByRole('listitem')).toHaveCount(1)
}

test('the vault is locked while it signs: unlocked again, the same window signs once', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  const { address } = await withVault(client, keyhole)
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const held = await holdWriting(client, address)
  const window = await shop.pay(tea('A-1'))
  await window.press('Approve')
  await held.awaited()
  await client.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await window.says('The vault is locked')
  await held.now()
  await window.type('main input[type=password]', PASSPHRASE)
  await window.press('Unlock')
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
  await expectOnePayment(client)
})

/** Leaves an origin so many bytes, or what the browser gives it. */
const quota = (session: CDPSession, origin: string, bytes?: number) =>
  session.send('Storage.overrideQuotaForOrigin', {
    origin,
    ...(bytes !== undefined && { quotaSize: bytes }),
  })

test('a device without room: nothing is signed until the request can be noted down', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  await withVault(client, keyhole)
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const session = await client.context().newCDPSession(client)
  const window = await shop.pay(tea('A-1'))
  await window.says('Approve £25.00')
  await quota(session, keyhole, 1)
  await window.press('Approve')
  await window.says('The browser could not note this request down.')
  await quota(session, keyhole)
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
  await expectOnePayment(client)
})
