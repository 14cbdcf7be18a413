import type { Mandate } from '@keyhole/vault'
import type { Budget } from './budget-words.ts'

/** The budget of a mandate, and how its amounts are told. */
export interface Spending {
  readonly budget: Budget
  readonly currency: string
  /** Behind the point; those of the currency where nobody says. */
  readonly digits?: number | undefined
  /** Whether the vault pays under it by itself: nobody else can ask. */
  readonly isOwn?: boolean | undefined
}

/** What the vault counts for a mandate. */
export function spendingOf({
  budget,
  currency,
  digits,
  own,
}: Pick<Mandate, 'budget' | 'currency' | 'own'> & { readonly digits?: number }): Spending {
  return { budget, currency, digits, isOwn: own }
}
