// Four tabs spend one budget at once. The payments they report must add up to exactly what the budget allows.
import type { Page } from '@playwright/test'
import { expect, openVaultPage, test, WORKERS } from './fixtures.ts'

const TABS = 4
const PAYMENTS = 50
const BUDGET = 10
const PASSPHRASE = 'violet anvil harbour thirty'
const ORIGIN = 'https://shop.example'

/** Creates the account and a mandate with the budget. @returns the mandate's CID */
async function begin(page: Page): Promise<string> {
  return await page.evaluate(
    async ([passphrase, payments]) => {
      const vault = await window.openVault()
      await vault.create({ passphrase })
      const { mandate } = await vault.mandates.make({
        ...{ payees: ['did:web:shop.example'], max: 1_000, currency: 'GBP' },
        budget: { period: 'month', payments },
      })
      return mandate.cid
    },
    [PASSPHRASE, BUDGET] as const,
  )
}

async function join(page: Page): Promise<void> {
  await page.evaluate(async (passphrase) => {
    const vault = await window.openVault()
    if (vault.getSnapshot().phase !== 'unlocked') await vault.unlock(passphrase)
  }, PASSPHRASE)
}

/** Asks for all payments at once. @returns the authorisations, and the names of the refusals */
async function pay(page: Page, mandate: string, orders: readonly string[]) {
  return await page.evaluate(
    async ([origin, cid, references]) => {
      const all = await Promise.allSettled(
        references.map((order) =>
          window.vault.payments.authorize(
            { origin, value: '10.00', currency: 'GBP', order },
            { mandate: cid, byItself: true },
          ),
        ),
      )
      return {
        authorised: all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : [])),
        refused: all.flatMap((each) => (each.status === 'rejected' ? [each.reason?.details?.name] : [])),
      }
    },
    [ORIGIN, mandate, orders] as const,
  )
}

for (const [workers, sharedWorker] of WORKERS) {
  test.describe(`with ${workers}`, () => {
    test.use({ sharedWorker })

    test('four tabs ask for fifty payments at once, and exactly ten are authorised', async ({
      context,
      site,
    }) => {
      const first = await context.newPage()
      await openVaultPage(first, site)
      const mandate = await begin(first)
      const rest = await Promise.all(Array.from({ length: TABS - 1 }, () => context.newPage()))
      for (const page of rest) await openVaultPage(page, site)
      for (const page of rest) await join(page)

      const orders = Array.from({ length: PAYMENTS }, (_, index) => `A-${index}`)
      const told = await Promise.all(
        [first, ...rest].map((page, tab) =>
          pay(
            page,
            mandate,
            orders.filter((_, index) => index % TABS === tab),
          ),
        ),
      )
      const authorised = told.flatMap((each) => each.authorised).sort()
      expect(new Set(authorised).size).toBe(BUDGET)
      expect(authorised).toHaveLength(BUDGET)
      const refused = told.flatMap((each) => each.refused)
      expect(refused).toEqual(Array(PAYMENTS - BUDGET).fill('BudgetExceeded'))

      // Read it as a freshly loaded page does.
      await Promise.all(rest.map((page) => page.close()))
      await openVaultPage(first, site)
      await join(first)
      const stored = await first.evaluate(async () => ({
        payments: (await window.vault.payments.list()).map(({ id }) => id),
        mandates: await window.vault.mandates.list(),
      }))
      expect(stored.payments.sort()).toEqual(authorised)
      expect(stored.mandates).toMatchObject([
        { used: { payments: BUDGET, amount: 10_000 }, remaining: { payments: 0 } },
      ])
    })
  })
}
