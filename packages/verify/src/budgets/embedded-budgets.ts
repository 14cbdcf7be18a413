import type { EmbeddedStore } from '../stores/embedded-store.ts'
import type { Spend } from './budget-store.ts'

/** Uses parts of budgets, as `BudgetStore.spend` says: of all, or of none. */
export async function spendEmbedded(
  store: EmbeddedStore,
  spends: readonly Spend[],
  now: number,
): Promise<number | undefined> {
  return await store.write(now, () => {
    const used = spends.map(({ id }) => Number(store.get('spent', id) ?? 0))
    const at = spends.findIndex(
      ({ amount, most, until }, each) => store.isPast(until, now) || (used[each] ?? 0) + amount > most,
    )
    if (at >= 0) return at
    for (const [each, { id, amount, until }] of spends.entries())
      store.put('spent', id, (used[each] ?? 0) + amount, until)
    return undefined
  })
}
