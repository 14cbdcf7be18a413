// Checks a delivered revocation.
import { isRefusal, tokenCid } from '@keyhole/enclave'
import { ask, type Checker, tokensOf } from '../checker.ts'
import { VerifyError } from '../errors.ts'
import { networkOf } from '../fairness/network.ts'
import { type Refusal, type Refused, refuse } from '../verdict.ts'
import type { RevocationSource, RevocationStore } from './revocation-source.ts'

/** A revocation that was added. */
export interface Added {
  readonly added: true
  /** CID of the revocation. */
  readonly cid: string
  /** CID of the revoked delegation. */
  readonly revokes: string
  /** DID that it revokes for. */
  readonly by: string
}

export type Taken = Added | Refused

/** A time in seconds since 1970, and the accepted clock difference in seconds. */
interface Moment {
  readonly now: number
  readonly skew: number
}

export interface Delivery extends Moment {
  /** DIDs of the owners who are served. */
  readonly subjects: readonly string[]
  /** IP address that it came from. */
  readonly address: string | undefined
}

/** Checks a revocation's signature and proofs, and adds it. Whether its signer may revoke is decided for each chain. */
export async function takeRevocation(
  checker: Checker,
  source: RevocationSource,
  token: string,
  { subjects, address, ...moment }: Delivery,
): Promise<Taken> {
  if (!isStore(source))
    throw new VerifyError('INVALID_OPTIONS', 'These revocations come from elsewhere, so none can be added.')
  const verdict = await validateForEver(checker, token, moment)
  if (isRefusal(verdict)) return refuse(verdict.name as Refusal['name'], verdict.error, null)
  if (!verdict.valid) return { authorized: false, refusal: verdict.error }
  const { cid, command, issuer, subject, chain } = verdict
  const revokes = tokenCid(verdict.args?.revoke)
  if (command !== '/ucan/revoke' || revokes === undefined || !(await isReadable(checker, token)))
    return refuse('NotARevocation', 'A revocation is an invocation of /ucan/revoke with a CID.', cid, {
      expected: '/ucan/revoke',
      found: command,
    })
  const [root] = chain
  // Without this it has no effect on any chain (docs/ucan.md, "Revocation").
  if (root && !root.policy.some((statement) => isNaming(statement, revokes)))
    return refuse('NotARevocation', 'The owner must name the token that someone else may revoke.', cid, {
      why: 'NotNamed',
      expected: ['==', '.revoke', { '/': revokes }],
      found: root.policy,
    })
  const isServed = subjects.includes(subject)
  // Of an owner's delegates, all to whom one grant was passed on share its quota: it takes only keys to be many.
  const delegate = isServed && root ? `by ${root.audience}` : undefined
  const quota = isServed && !root ? undefined : (delegate ?? `from ${networkOf(address ?? '')}`)
  const by = issuer === subject ? [issuer] : [issuer, subject]
  if (!(await source.add({ cid, revokes, by, revocation: token, quota })))
    throw new VerifyError('STORE_FAILED', 'There is no space for another revocation.')
  return { added: true, cid, revokes, by: subject }
}

/** Whether a statement of a policy allows the revocation of this token only. */
function isNaming(statement: unknown, cid: string): boolean {
  const [operator, selector, value, ...rest] = Array.isArray(statement) ? statement : []
  return operator === '==' && selector === '.revoke' && rest.length === 0 && tokenCid(value) === cid
}

const isStore = (source: RevocationSource): source is RevocationStore => 'add' in source

/** A revocation is permanent, so an expired one is checked at the time it expired. */
async function validateForEver(checker: Checker, invocation: string, { now, skew }: Moment) {
  const verdict = await ask(checker, 'validate_invocation', { invocation, now, skew })
  if (isRefusal(verdict) || verdict.valid || verdict.error.name !== 'Expired') return verdict
  const ends = (await tokensOf(checker, invocation)).map(({ payload }) => payload.exp)
  const known = ends.filter((end) => typeof end === 'number')
  // What a token says beside what counts may be nothing that can be shown. Then it is checked before all expiries.
  const earliest = known.length > 0 ? Math.min(now, ...known) : 0
  return await ask(checker, 'validate_invocation', { invocation, now: earliest, skew })
}

/**
 * Whether the enclave can read it as a revocation. If it couldn't, it would refuse every chain with that delegation.
 */
async function isReadable(checker: Checker, token: string): Promise<boolean> {
  return !isRefusal(await ask(checker, 'validate_batch', { invocations: [], revocations: [token] }))
}
