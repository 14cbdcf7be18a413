import type { BudgetStore } from '../budgets/budget-store.ts'
import { spendEmbedded } from '../budgets/embedded-budgets.ts'
import { EmbeddedStore } from '../stores/embedded-store.ts'
import type { ClaimStore } from './claim-store.ts'

/**
 * Claims and budgets in a folder, which is created if missing. Survives a crash and a power failure. Processes on one
 * machine can share it; a network file system can't hold it.
 *
 * @throws VerifyError STORE_FAILED if the folder can't be opened
 */
export function embeddedClaims(folder: string): ClaimStore & BudgetStore {
  const store = new EmbeddedStore(folder)
  return {
    claim: (cid, until, now) =>
      store.write(now, () => {
        if (store.isPast(until, now) || store.has('claim', cid)) return false
        store.put('claim', cid, until, until)
        return true
      }),
    spend: (spends, now) => spendEmbedded(store, spends, now),
    close: () => store.close(),
  }
}
