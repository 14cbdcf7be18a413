export { BOUNDS, type Bounds } from './bounds.ts'
export type { RelayErrorCode } from './http/answers.ts'
export type { Client } from './http/client.ts'
export { type Act, RATES, type Rate } from './http/rates.ts'
export { createRelay, type Relay, type RelayOptions } from './relay.ts'
export { memoryStore } from './stores/memory-store.ts'
export type { Quota } from './stores/quota.ts'
export {
  type Appended,
  type Hint,
  type Mailbox,
  type NewRecord,
  type NewReport,
  type NewRevocation,
  type PlacedRecord,
  type RelayStore,
  type Report,
  type Revocation,
  StoreError,
} from './stores/store.ts'
