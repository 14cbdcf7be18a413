// The disk fills up during an import.
import type { Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { expect, openVaultPage, type Profile, test } from './fixtures.ts'
import type { Site } from './site.js'

const PASSPHRASE = 'violet anvil harbour thirty'
const FILE_PASSPHRASE = 'granite sparrow window forty'

/** Bytes left: enough for part of an import, but far from all of it. */
const SPACE = 200_000
const FULL = /^OPERATION_FAILED, quota: .*(?:room|full|space)/i

/** Creates an account with tokens of 40 KB each, and its backup. */
async function makeBackup(page: Page): Promise<{ address: string; text: string; cids: string[] }> {
  return await page.evaluate(
    async ([passphrase, exportPassphrase, audience_did]) => {
      const vault = await window.openVault()
      const { address } = await vault.create({ passphrase, label: 'Full' })
      const cids: string[] = []
      for (let count = 0; count < 40; count += 1) {
        // Random, so that it can't be compressed.
        const noise = Array.from(crypto.getRandomValues(new Uint8Array(30_000)), (byte) => byte.toString(36))
        const meta = { noise: noise.join('').slice(0, 30_000) }
        const request = { audience_did, command: '/msg/send', meta, label: `Number ${count}` }
        cids.push((await vault.tokens.grant(request)).cid)
      }
      const { text } = await vault.exportVault({ proof: { passphrase }, exportPassphrase })
      return { address, text, cids }
    },
    [PASSPHRASE, FILE_PASSPHRASE, STRANGER] as const,
  )
}

/**
 * Restarts the browser with room for this many more bytes than the site uses, and unlocks. A running browser would keep its old limit.
 * @returns the page, and a function that lifts the limit
 */
async function startWithSpace(
  profile: Profile,
  site: Site,
  bytes: number,
): Promise<{ page: Page; lift(): Promise<void> }> {
  await profile.close()
  const page = await profile.start()
  const { origin } = new URL(site.url)
  await page.goto(`${site.url}enclave.json`)
  const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + bytes })
  await unlock(page, site)
  return {
    page,
    lift: () => session.send('Storage.overrideQuotaForOrigin', { origin }).then(() => undefined),
  }
}

async function unlock(page: Page, site: Site): Promise<void> {
  await openVaultPage(page, site)
  await page.evaluate(async (passphrase) => (await window.openVault()).unlock(passphrase), PASSPHRASE)
}

/** @returns the refusal of an import, or `imported` */
async function importBackup(page: Page, text: string): Promise<string> {
  return await page.evaluate(
    async ([backup, exportPassphrase, passphrase]) =>
      await window.vault.importVault({ text: backup, exportPassphrase, passphrase }).then(
        () => 'imported',
        (error) => `${error.code}, ${error.details?.quota ? 'quota' : 'no quota'}: ${error.message}`,
      ),
    [text, FILE_PASSPHRASE, PASSPHRASE] as const,
  )
}

async function accounts(page: Page): Promise<string[]> {
  return await page.evaluate(async () => (await window.vault.accounts.list()).map(({ address }) => address))
}

async function heldTokens(page: Page): Promise<string[]> {
  return await page.evaluate(async () => (await window.vault.tokens.list()).map(({ cid }) => cid).sort())
}

test('a full disk during a merge is reported, and everything that was there stays', async ({
  profile,
  site,
}) => {
  const before = await profile.start()
  await openVaultPage(before, site)
  const { text, cids } = await makeBackup(before)
  const wanted = cids.slice(0, 3).sort()
  await before.evaluate(async (keep) => {
    for (const { id, cid } of await window.vault.tokens.list()) {
      if (!keep.includes(cid)) await window.vault.tokens.remove(id)
    }
  }, wanted)

  const { page, lift } = await startWithSpace(profile, site, SPACE)
  expect(await importBackup(page, text)).toMatch(FULL)
  expect(await heldTokens(page)).toEqual(wanted)

  // Nothing was half imported, and once there is room everything can be imported.
  await lift()
  await profile.close()
  const after = await profile.start()
  await unlock(after, site)
  expect(await heldTokens(after)).toEqual(wanted)
  expect(await importBackup(after, text)).toBe('imported')
  expect(await heldTokens(after)).toEqual(cids.sort())
})

test('a full disk during a restore is reported, and nothing is left behind', async ({ profile, site }) => {
  const before = await profile.start()
  await openVaultPage(before, site)
  const { address, text, cids } = await makeBackup(before)
  await before.evaluate((account) => window.vault.accounts.remove(account), address)
  const other = await before.evaluate(
    async (passphrase) => (await window.vault.create({ passphrase, label: 'Other' })).address,
    PASSPHRASE,
  )

  const { page } = await startWithSpace(profile, site, SPACE)
  expect(await importBackup(page, text)).toMatch(FULL)
  expect(await accounts(page)).toEqual([other])
  expect(await page.evaluate(() => window.vault.getSnapshot().phase)).toBe('unlocked')

  await profile.close()
  const after = await profile.start()
  await unlock(after, site)
  expect(await accounts(after)).toEqual([other])
  expect(await importBackup(after, text)).toBe('imported')
  expect(await heldTokens(after)).toEqual(cids.sort())
  expect((await accounts(after)).sort()).toEqual([address, other].sort())
})
