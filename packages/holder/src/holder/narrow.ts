import { effectiveOf } from '../chain/chain.ts'
import { checkCovers, checkSubject, type Path, TOO_LONG } from '../chain/path.ts'
import { MAX_CHAIN_LENGTH } from '../chain/search.ts'
import { toValue } from '../codec/dag-json.ts'
import { isMap } from '../codec/value.ts'
import { Budget } from '../codec/work-budget.ts'
import { type HolderErrorCode, malformed, refuse, wrongInput } from '../errors.ts'
import { chooseGrant } from '../grants/choose.ts'
import type { HeldGrant } from '../grants/grant.ts'
import { readPolicy } from '../policy/policy.ts'
import { checkCommand, checkDid, checkMoment, checkReserved, checkUsable } from '../token/checks.ts'
import { writeContainer } from '../token/container.ts'
import { DELEGATION, signEnvelope } from '../token/envelope.ts'
import { isDelegation } from '../token/payload.ts'
import { readToken } from '../token/read.ts'
import type { CallOptions, Signer } from './options.ts'

/** What to pass on, and to whom. Omitted fields stay as in the grant. Times are in seconds since 1970. */
export interface NarrowOptions extends CallOptions {
  /** DID of the receiver. */
  readonly to: string
  /** The grant's command, or one below it. */
  readonly command?: string
  /** Limits in addition to all of the grant's, in DAG-JSON. */
  readonly policy?: readonly unknown[]
  /** How long it is valid, in seconds from now; null: without an expiry. Default: as long as the grant. */
  readonly expiresIn?: number | null
  /** When it starts. */
  readonly notBefore?: number
  /** DID of the resource's owner, if the holder has grants over several. */
  readonly subject?: string
  /** Facts besides the authority: signed, but not checked by anyone. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** CID of the grant to pass on. Default: the narrowest that covers the command. */
  readonly grant?: string
}

/** A grant for someone else. Times are in seconds since 1970. */
export interface Narrowed {
  /** The container text: the delegation with all its proofs. */
  readonly token: string
  /** The CID of the new delegation. */
  readonly cid: string
  readonly command: string
  /** Every limit along the chain, in DAG-JSON. */
  readonly policy: readonly unknown[]
  readonly notBefore: number | null
  readonly expiresAt: number | null
}

/** Signs a narrower delegation. @throws HolderError as `Holder.narrow` */
export async function narrow(
  grants: readonly HeldGrant[],
  { did, sign, now, nonce }: Signer,
  options: NarrowOptions,
): Promise<Narrowed> {
  const { to, command, grant, expiresIn, notBefore: start } = options
  const budget = new Budget()
  checkDid('to', to ?? '')
  checkCommand(command)
  const subject = checkDid('subject', options.subject)
  const pol = options.policy ?? []
  readPolicy(toValue(pol), budget)
  if (options.meta && !isMap(toValue(options.meta))) wrongInput('`meta` must be an object.')
  if (!command && !grant && grants.length > 1)
    wrongInput('The holder has several grants: name a `command` or a `grant`.')
  // A named grant is checked below, in the order of the specification.
  const wanted = grant === undefined ? { subject, command } : { grant }
  const { cid, path, effective } = chooseGrant(grants, wanted, { now, skew: 0, timing: 'nowOrLater' })
  const { subject: sub, expiresAt: end } = effective
  const cmd = command ?? effective.command
  const exp =
    expiresIn === undefined ? end : expiresIn === null ? null : checkMoment('expiresIn', now + expiresIn)
  const nbf = start && checkMoment('notBefore', start)
  // Refuse before signing what could not be used, or would promise more than the grant gives (UCAN 1.0.0,
  // "Attenuation").
  const no = (code: HolderErrorCode, message: string) => refuse(code, message, { cid })
  const above = [sub, ...path.map(({ aud }) => aud)]
  if (above.indexOf(did) < path.length || above.includes(to))
    no('InvalidAudience', `${above.includes(to) ? to : did} has this authority in the chain already.`)
  checkSubject(sub, subject, cid)
  checkCovers(effective.command, cmd, cid)
  if (end !== null && (exp ?? Number.MAX_VALUE) > end)
    no('InvalidClaim', `The grant ends at ${end} (seconds since 1970).`)
  if (exp !== null && Math.max(nbf ?? exp, effective.notBefore ?? exp) > exp)
    no('InvalidClaim', 'The token would end before it starts.')
  checkUsable(to)
  checkReserved(cmd)
  if (exp !== null && exp < now) no('Expired', 'The token would have expired before it is made.')
  if (path.length >= MAX_CHAIN_LENGTH) malformed(TOO_LONG, cid)
  const payload = { iss: did, aud: to, sub, cmd, pol, nonce, exp, nbf, meta: options.meta }
  // Reading it back checks its limits and form, so that only what services accept is handed out.
  const made = await readToken(await signEnvelope(DELEGATION, payload, sign), budget)
  const longer: Path = isDelegation(made) ? [...path, made] : path
  const all = effectiveOf(longer, budget)
  return {
    token: await writeContainer(longer.map((each) => each.bytes)),
    cid: made.cid,
    command: cmd,
    policy: all.policy,
    notBefore: all.notBefore,
    expiresAt: all.expiresAt,
  }
}
