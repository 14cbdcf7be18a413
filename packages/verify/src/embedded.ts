export type { BudgetStore, Spend } from './budgets/budget-store.ts'
export { embeddedClaims } from './claims/embedded-claims.ts'
export { embeddedRevocations } from './revocations/embedded-revocations.ts'
export type { OpenRevocations } from './revocations/revocation-source.ts'
