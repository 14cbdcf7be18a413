// Many tabs save at once. Whatever a tab was told is saved must be there.
import type { BrowserContext, Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { expect, openVaultPage, test, WORKERS } from './fixtures.ts'
import type { Site } from './site.js'

const TABS = 8
/** Saves into one account, where tabs could overwrite each other's work. */
const SAVES = 1_000
/** Saves into separate accounts that share only the databases. KEYHOLE_SAVES=1000 makes it as many as in one account. */
const APART = Number(process.env.KEYHOLE_SAVES ?? 200)
const PASSPHRASE = 'violet anvil harbour thirty'

async function openTabs(context: BrowserContext, site: Site): Promise<Page[]> {
  const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
  await Promise.all(pages.map((page) => openVaultPage(page, site)))
  return pages
}

/** Starts the vault when there is no account yet. */
async function begin(page: Page): Promise<void> {
  // A key derivation takes all of a processor, and on a busy machine eight at once outlast a call's usual limit.
  await page.evaluate(() => window.openVault({}, 150_000).then(() => undefined))
}

async function create(page: Page): Promise<string> {
  return await page.evaluate(async (passphrase) => {
    try {
      return (await window.vault.create({ passphrase })).address
    } catch (error) {
      // Playwright shows the message alone, and what lies behind it is in the details.
      throw new Error(JSON.stringify(error, ['message', 'details', 'code', 'name', 'reason']))
    }
  }, PASSPHRASE)
}

/** Opens the existing account in another tab. */
async function join(page: Page): Promise<void> {
  await page.evaluate(async (passphrase) => {
    const vault = await window.openVault()
    if (vault.getSnapshot().phase !== 'unlocked') await vault.unlock(passphrase)
  }, PASSPHRASE)
}

/** Saves a tab's share of this many tokens, five at a time. @returns their CIDs */
async function save(page: Page, tab: number, tokens: number): Promise<string[]> {
  return await page.evaluate(
    async ([audience_did, name, count]) => {
      const saved: string[] = []
      let next = 0
      const lane = async () => {
        while (next < count) {
          const label = `${name} ${next++}`
          saved.push((await window.vault.tokens.grant({ audience_did, command: '/msg/send', label })).cid)
        }
      }
      await Promise.all(Array.from({ length: 5 }, lane))
      return saved
    },
    [STRANGER, `Tab ${tab}, token`, tokens / TABS] as const,
  )
}

/** What an account contains, read by a freshly loaded page. */
async function readTokens(
  page: Page,
  site: Site,
  address: string,
): Promise<{ cid: string; label: string }[]> {
  await openVaultPage(page, site)
  return await page.evaluate(
    async ([account, passphrase]) => {
      const vault = await window.openVault()
      if (vault.getSnapshot().address !== account) await vault.accounts.open(account)
      if (vault.getSnapshot().phase !== 'unlocked') await vault.unlock(passphrase)
      return (await vault.tokens.list()).map(({ cid, label = '' }) => ({ cid, label }))
    },
    [address, PASSPHRASE] as const,
  )
}

for (const [workers, sharedWorker] of WORKERS) {
  test.describe(`with ${workers}`, () => {
    test.use({ sharedWorker })

    test('eight tabs save a thousand tokens in one account, and all of them are there', async ({
      context,
      site,
    }) => {
      const pages = await openTabs(context, site)
      const [first, ...rest] = pages
      if (!first) throw new Error('no tab')
      await begin(first)
      const address = await create(first)
      await Promise.all(rest.map(join))
      const saved = (await Promise.all(pages.map((page, tab) => save(page, tab, SAVES)))).flat()
      expect(new Set(saved).size).toBe(SAVES)

      await Promise.all(rest.map((page) => page.close()))
      const tokens = await readTokens(first, site, address)
      expect(tokens.map(({ cid }) => cid).sort()).toEqual(saved.sort())
      expect(new Set(tokens.map(({ label }) => label)).size).toBe(SAVES)
    })

    test('eight tabs save tokens, each in a separate account', async ({ context, site }) => {
      const pages = await openTabs(context, site)
      // Start every tab before there is an account. One that starts later would open it, and lock it when it leaves.
      await Promise.all(pages.map(begin))
      const addresses = await Promise.all(pages.map(create))
      const saved = await Promise.all(pages.map((page, tab) => save(page, tab, APART)))
      expect(new Set(saved.flat()).size).toBe(APART)

      const [first, ...rest] = pages
      await Promise.all(rest.map((page) => page.close()))
      if (!first) throw new Error('no tab')
      for (const [tab, address] of addresses.entries()) {
        const tokens = await readTokens(first, site, address)
        expect(tokens.map(({ cid }) => cid).sort()).toEqual(saved[tab]?.sort())
        expect(tokens.every(({ label }) => label.startsWith(`Tab ${tab}, `))).toBe(true)
      }
    })
  })
}
