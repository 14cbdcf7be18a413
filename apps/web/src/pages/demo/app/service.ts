import type { Enclave } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations, type Verifier } from '@keyhole/verify'

/** Decides about calls: a verifier without HTTP. */
export type Service = Pick<Verifier, 'check' | 'revoke'>

/**
 * The service for what this owner owns.
 * @param enclave one without keys
 * @param did the owner's
 */
export function serviceOf(enclave: Enclave, did: string): Service {
  const made = createVerifier({
    subject: did,
    replay: memoryClaims(),
    revocations: memoryRevocations(),
    longest: 3_600,
    enclave,
  })
  return {
    check: async (token) => (await made).check(token),
    revoke: async (token) => (await made).revoke(token),
  }
}
