export type { BudgetStore, Spend } from './budgets/budget-store.ts'
export { embeddedClaims } from './claims/embedded-claims.ts'
