import type { Mandate } from '@keyhole/vault'
import type { Budget } from '../words/payment.ts'

/** The budget of a mandate, and how to write its amounts. */
export interface Spending {
  readonly budget: Budget
  readonly currency: string
  /** Decimal digits. The currency's default if not given. */
  readonly digits?: number | undefined
  /** Whether the vault pays under it automatically, and no one else can ask. */
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
