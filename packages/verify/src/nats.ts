export type { BudgetStore, Spend } from './budgets/budget-store.ts'
export { type NatsClaimsOptions, natsClaims } from './claims/nats-claims.ts'
export {
  type NatsRelayOptions,
  natsRelayRevocations,
  type OpenFeed,
} from './revocations/nats-relay-revocations.ts'
export {
  type NatsRevocationsOptions,
  type NatsSourceOptions,
  natsRevocations,
} from './revocations/nats-revocations.ts'
export type { OpenRevocations } from './revocations/revocation-source.ts'
export { connectNats } from './stores/connect-nats.ts'
export { type NatsPlace, natsPlace } from './stores/nats-place.ts'
