import type { Enclave } from '@keyhole/enclave'
import { createVerifier, memoryClaims, memoryRevocations, type Verifier } from '@keyhole/verify'

/** What decides about calls: a verifier, without HTTP. */
export type Service = Pick<Verifier, 'check' | 'revoke'>

/**
 * The service for what is the owner's.
 *
 * @param enclave a keyless one
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
