export { type NatsClaimsOptions, natsClaims } from './claims/nats-claims.ts'
