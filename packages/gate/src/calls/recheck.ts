import { isRefusal } from '@keyhole/enclave'
import type { Authorized, Checker, RevocationSource } from '@keyhole/verify'
import { refuseCall } from '../errors.ts'

/**
 * Checks a call again that took a while to arrive after it was checked, without using it up.
 *
 * @throws CallRefused Expired, Revoked @throws VerifyError REVOCATIONS_UNKNOWN
 */
export type Recheck = (token: string, call: Pick<Authorized, 'subject' | 'chain'>) => Promise<void>

export interface RecheckOptions {
  readonly enclave: Checker
  readonly revocations: RevocationSource
  /** DID of the gate. */
  readonly audience: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Accepted clock difference, in seconds: the verifier's. */
const SKEW = 60

export function createRecheck({ enclave, revocations, audience, clock }: RecheckOptions): Recheck {
  return async (token, { subject, chain }) => {
    const found = chain.length > 0 ? await revocations.find(subject, chain) : []
    const verdict = await enclave.call('validate_invocation', {
      ...{ invocation: token, audience, now: Math.floor(clock() / 1_000), skew: SKEW },
      ...(found.length > 0 && { revocations: found }),
    })
    if (isRefusal(verdict)) throw new Error(`A call could not be checked again: ${verdict.name}.`)
    if (!verdict.valid) refuseCall(verdict.error.name, verdict.error.message)
  }
}
