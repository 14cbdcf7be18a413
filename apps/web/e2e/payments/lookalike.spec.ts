// A shop whose name has letters that look like others: the network's form of it is shown, with a word of warning, and can be paid all
// the same.
import { makeCertificate } from '../counterparts/certificate.js'
import { startMerchant } from '../counterparts/merchant.js'
import { launch, newProfile, removeProfile } from '../lasting/chromium.js'
import { test as base, expect, tea, withVault } from './fixtures.ts'

/** "аpple", which begins in Cyrillic. */
const HOST = 'xn--pple-43d.example'
const WARNING = 'This name has letters that can look like others.'

const certificate = makeCertificate(HOST)

const test = base.extend({
  launched: async ({ browserName: _ }, use) => {
    const profile = newProfile()
    const launched = await launch(profile, [
      `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
      `--ignore-certificate-errors-spki-list=${certificate.spki}`,
    ])
    await use(launched)
    await launched.kill()
    removeProfile(profile)
  },
  merchant: async ({ keyhole }, use) => {
    const merchant = await startMerchant(keyhole, { host: HOST, ...certificate })
    await use(merchant)
    await merchant.close()
  },
})

test.describe.configure({ timeout: 240_000 })

test('a shop that only looks like another is shown by its name in the network, with a warning', async ({
  client,
  keyhole,
  merchant,
  shop,
}) => {
  // What the person reads in the page of the shop, and in many an address bar.
  expect(await shop.page.evaluate(() => [location.hostname, isSecureContext])).toEqual([HOST, true])

  const without = await shop.pay(tea('A-0'))
  const warned = await without.says(WARNING)
  expect(warned).toContain(merchant.origin)
  expect(warned).toContain('decline')
  expect(warned).not.toContain('аpple')
  await without.press('Decline')
  expect(await shop.verdict()).toEqual({ unpaid: 'declined' })
  await without.closed()

  await withVault(client, keyhole)
  merchant.shop.expect({ order: 'A-1', amount: 2500, currency: 'GBP' })
  const window = await shop.pay(tea('A-1'))
  const shown = await window.says('Approve £25.00')
  expect(shown).toContain(WARNING)
  expect(shown).toContain(merchant.origin)
  // Above what is asked for, so that nobody approves before it was in sight.
  expect(shown.indexOf(WARNING)).toBeLessThan(shown.indexOf('Approve'))
  await window.press('Approve')
  expect(await shop.verdict()).toMatchObject({ paid: { order: 'A-1' } })
})
