export type { BudgetStore, Spend } from './claims/budget-store.ts'
export { type NatsClaimsOptions, natsClaims } from './claims/nats-claims.ts'
