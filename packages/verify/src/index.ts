export type { Checker } from './checker.ts'
export type { ClaimStore } from './claims/claim-store.ts'
export { memoryClaims } from './claims/memory-claims.ts'
export { VerifyError, type VerifyErrorCode } from './errors.ts'
export { networkOf } from './fairness/network.ts'
export { StrangerQueue } from './fairness/stranger-queue.ts'
export { memoryRevocations } from './revocations/memory-revocations.ts'
export { type Feed, type FeedOptions, relayRevocations } from './revocations/relay-revocations.ts'
export { type IndexedRevocation, RevocationIndex } from './revocations/revocation-index.ts'
export {
  type Link,
  type NewRevocation,
  type RevocationSource,
  type RevocationStore,
  revocationsByOwner,
} from './revocations/revocation-source.ts'
export type { Added, Taken } from './revocations/take-revocation.ts'
export type { Authorized, Call, Missing, Refusal, Refused, Verdict } from './verdict.ts'
export {
  type CheckOptions,
  createVerifier,
  type Expected,
  LONGEST_TOKEN,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts'
