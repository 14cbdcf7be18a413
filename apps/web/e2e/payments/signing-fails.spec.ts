// A signing that comes to nothing: it is told, the request stays good for one signature, and never for two.
import type { CDPSession } from '@playwright/test'
import { PASSPHRASE } from '../tasks/support/person.ts'
import { expect, expectOnePayment, holdWriting, test } from './fixtures.ts'

test.describe.configure({ timeout: 240_000 })

test('the vault is locked while it signs: unlocked again, the same window signs once', async ({
  client,
  vault,
  shop,
  approval: window,
}) => {
  const held = await holdWriting(client, vault.address)
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
  shop,
  approval: window,
}) => {
  const session = await client.context().newCDPSession(client)
  await quota(session, keyhole, 1)
  await window.press('Approve')
  await window.says('The browser could not note this request down.')
  await quota(session, keyhole)
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
  await window.closed()
  await expectOnePayment(client)
})
