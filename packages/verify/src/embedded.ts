export type { BudgetStore, Spend } from './claims/budget-store.ts'
export { embeddedClaims } from './claims/embedded-claims.ts'
