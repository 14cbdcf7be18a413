// The computer's clock is wrong while the clean-up runs.
import type { Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { expect, openVaultPage, test } from './fixtures.ts'

const PASSPHRASE = 'violet anvil harbour thirty'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEARS = 3 * 365 * DAY

/** Creates an account with grants that last two hours and two days, and a connected app. @returns what it contains */
async function makeAccount(page: Page): Promise<unknown> {
  await page.evaluate(
    async ([passphrase, audience_did]) => {
      const vault = await window.openVault()
      await vault.create({ passphrase })
      const grant = (hours: number) => ({
        ...{ audience_did, command: '/msg/send', label: `For ${hours} hours` },
        expires_at: Math.floor(Date.now() / 1000) + hours * 3_600,
      })
      await vault.tokens.grant(grant(2))
      await vault.sessions.connect({ grant: grant(48), origin: 'https://app.example' })
    },
    [PASSPHRASE, STRANGER] as const,
  )
  return await holdings(page)
}

/** What the account contains, with its labels decrypted. */
async function holdings(page: Page): Promise<unknown> {
  return await page.evaluate(async (passphrase) => {
    await window.vault.unlock(passphrase)
    const tokens = await window.vault.tokens.list()
    const sessions = await window.vault.client.getSessions()
    return {
      tokens: tokens.map(({ cid, token, label }) => ({ cid, token, label })),
      sessions: sessions.map(({ id, cid }) => ({ id, cid })),
    }
  }, PASSPHRASE)
}

/** Lets an hour pass, so that the clean-up runs. */
async function passAnHour(page: Page): Promise<void> {
  await page.clock.fastForward(HOUR + 1_000)
  // A clean-up that has started is finished once the next one is.
  await page.evaluate(() => window.vault.client.removeExpiredTokens())
}

for (const [way, by] of [
  ['ahead', YEARS],
  ['behind', -YEARS],
] as const) {
  test(`a clock three years ${way} deletes nothing, and everything is there once it is right`, async ({
    profile,
    site,
  }) => {
    const first = await profile.start()
    await openVaultPage(first, site)
    const made = await makeAccount(first)
    await profile.close()
    const wrong = await profile.start()
    await wrong.clock.install({ time: Date.now() + by })
    await openVaultPage(wrong, site)
    await wrong.evaluate(() => window.openVault())
    expect(await holdings(wrong)).toEqual(made)
    for (let hour = 0; hour < 3; hour += 1) await passAnHour(wrong)
    expect(await holdings(wrong)).toEqual(made)
    await profile.close()
    const right = await profile.start()
    await openVaultPage(right, site)
    await right.evaluate(() => window.openVault())
    expect(await holdings(right)).toEqual(made)
  })
}

test('a clock that jumps while the vault is open deletes nothing; what was hidden a day ahead comes back', async ({
  profile,
  site,
}) => {
  const page = await profile.start()
  await page.clock.install({ time: Date.now() })
  await openVaultPage(page, site)
  const made = await makeAccount(page)
  const start = await page.evaluate(() => Date.now())
  await page.clock.setSystemTime(start + YEARS)
  await passAnHour(page)
  expect(await holdings(page)).toEqual(made)
  await page.clock.setSystemTime(start - YEARS)
  await passAnHour(page)
  expect(await holdings(page)).toEqual(made)
  await profile.close()

  const ahead = await profile.start()
  await ahead.clock.install({ time: Date.now() + DAY })
  await openVaultPage(ahead, site)
  await ahead.evaluate(() => window.openVault())
  await passAnHour(ahead)
  expect(await holdings(ahead)).toMatchObject({ tokens: [{ label: 'For 48 hours' }] })
  const log = await ahead.evaluate(async () => (await window.vault.activity.read()).lines)
  expect(log.filter(({ act }) => act === 'cleanUp').map(({ about }) => about)).toEqual([{ tokens: 1 }])
  await profile.close()

  const right = await profile.start()
  await openVaultPage(right, site)
  await right.evaluate(() => window.openVault())
  await expect.poll(() => holdings(right)).toEqual(made)
})
