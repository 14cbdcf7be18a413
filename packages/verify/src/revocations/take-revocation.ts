// Checks a delivered revocation.
import { isRefusal } from '@keyhole/enclave'
import { ask, type Checker, tokensOf } from '../checker.ts'
import { VerifyError } from '../errors.ts'
import { type Refusal, type Refused, refuse } from '../verdict.ts'
import type { RevocationSource, RevocationStore } from './revocation-source.ts'

/** A revocation that was added. */
export interface Added {
  readonly added: true
  /** CID of the revocation. */
  readonly cid: string
  /** CID of the revoked delegation. */
  readonly revokes: string
  /** DID of the revoker. */
  readonly by: string
}

export type Taken = Added | Refused

/** A time in seconds since 1970, and the accepted clock difference in seconds. */
export interface Moment {
  readonly now: number
  readonly skew: number
}

/** Checks a revocation's signature and proofs, and adds it. Whether its signer may revoke is decided for each chain. */
export async function takeRevocation(
  checker: Checker,
  source: RevocationSource,
  token: string,
  moment: Moment,
): Promise<Taken> {
  if (!isStore(source))
    throw new VerifyError('INVALID_OPTIONS', 'These revocations come from elsewhere, so none can be added.')
  const verdict = await validateForEver(checker, token, moment)
  if (isRefusal(verdict)) return refuse(verdict.name as Refusal['name'], verdict.error, null)
  if (!verdict.valid) return { authorized: false, refusal: verdict.error }
  const { cid, command, subject: by } = verdict
  const revokes = cidIn(verdict.args?.revoke)
  if (command !== '/ucan/revoke' || revokes === undefined || !(await isReadable(checker, token)))
    return refuse('NotARevocation', 'A revocation is an invocation of /ucan/revoke with a CID.', cid, {
      expected: '/ucan/revoke',
      found: command,
    })
  if (!(await source.add({ revokes, by, revocation: token })))
    throw new VerifyError('STORE_FAILED', 'There is no space for another revocation.')
  return { added: true, cid, revokes, by }
}

const isStore = (source: RevocationSource): source is RevocationStore => 'add' in source

/** A revocation is permanent, so an expired one is checked at the time it expired. */
async function validateForEver(checker: Checker, invocation: string, { now, skew }: Moment) {
  const verdict = await ask(checker, 'validate_invocation', { invocation, now, skew })
  if (isRefusal(verdict) || verdict.valid || verdict.error.name !== 'Expired') return verdict
  const ends = (await tokensOf(checker, invocation)).map(({ payload }) => payload.exp)
  const earliest = Math.min(now, ...ends.filter((end) => typeof end === 'number'))
  return await ask(checker, 'validate_invocation', { invocation, now: earliest, skew })
}

/**
 * Whether the enclave can read it as a revocation. If it couldn't, it would refuse every chain with that delegation.
 */
async function isReadable(checker: Checker, token: string): Promise<boolean> {
  return !isRefusal(await ask(checker, 'validate_batch', { invocations: [], revocations: [token] }))
}

/** A CID in DAG-JSON: a link, or text. */
function cidIn(value: unknown): string | undefined {
  const link = typeof value === 'object' && value !== null && '/' in value ? value['/'] : value
  return typeof link === 'string' && /^b[a-z2-7]{50,100}$/.test(link) ? link : undefined
}
