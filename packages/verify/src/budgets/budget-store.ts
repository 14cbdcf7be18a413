/** A part of a budget that is used. */
export interface Spend {
  /** The budget, and its period. A list names each once. */
  readonly id: string
  /** A whole number from 0. */
  readonly amount: number
  /** How much there is in the period. */
  readonly most: number
  /** When the period ends, in seconds since 1970. It is remembered as long. */
  readonly until: number
}

/** Counts what was used of budgets. */
export interface BudgetStore {
  /**
   * Uses parts of budgets: of all, or of none. Atomic, also across processes that share the store.
   *
   * @param now seconds since 1970
   * @returns the place of the first that has not enough left, or whose period is over; undefined if all were used
   * @throws VerifyError STORE_FAILED: they may have been used
   */
  spend(spends: readonly Spend[], now: number): Promise<number | undefined>
}
