import type { BudgetStore } from '../budgets/budget-store.ts'
import { EmbeddedBudgets } from '../budgets/embedded-budgets.ts'
import { checkFolder } from '../options.ts'
import type { ClaimStore } from './claim-store.ts'
import { ClaimJournal } from './journal/claim-journal.ts'

/**
 * Claims and budgets in a folder, which is created if missing. Survives a crash and a power failure. Processes on one
 * machine can share it; a network file system can't hold it.
 *
 * @param options.most how many claims are remembered, each in about 30 bytes of memory; a claim beyond that fails
 * @throws VerifyError STORE_FAILED if the folder can't be opened; INVALID_OPTIONS without one
 */
export function embeddedClaims(
  folder: string,
  { most = 10_000_000 }: { readonly most?: number } = {},
): ClaimStore & BudgetStore {
  checkFolder(folder)
  const journal = new ClaimJournal(folder, { most })
  const budgets = new EmbeddedBudgets(folder)
  return {
    claim: (cid, until, now) => journal.claim(cid, until, now),
    spend: (spends, now) => budgets.spend(spends, now),
    async close() {
      await Promise.all([journal.close(), budgets.close()])
    },
  }
}
