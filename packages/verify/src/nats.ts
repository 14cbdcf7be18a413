export type { BudgetStore, Spend } from './budgets/budget-store.ts'
export { type NatsClaimsOptions, natsClaims } from './claims/nats-claims.ts'
