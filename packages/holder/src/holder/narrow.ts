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

/** What is passed on, and to whom. What is left out stays as the grant has it. Times are in seconds since 1970. */
export interface NarrowOptions extends CallOptions {
  /** DID of the one who receives it. */
  readonly to: string
  /** The grant's command, or one below it. */
  readonly command?: string
  /** Limits beside all of the grant's, in DAG-JSON. */
  readonly policy?: readonly unknown[]
  /** For how long, in seconds from now; null for ever. Default: as long as the grant. */
  readonly expiresIn?: number | null
  /** From when on. */
  readonly notBefore?: number
  /** DID of whose resource it is, where the holder has grants over several. */
  readonly subject?: string
  /** Facts beside the authority: signed, and not judged by anyone. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** CID of the grant to pass on. Default: the narrowest that covers the command. */
  readonly grant?: string
}

/** A grant for somebody else. Times are in seconds since 1970. */
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
  checkDid('to', to)
  checkCommand(command)
  const subject = checkDid('subject', options.subject)
  const pol = options.policy ?? []
  readPolicy(toValue(pol), budget)
  if (options.meta && !isMap(toValue(options.meta))) wrongInput('`meta` is no object.')
  if (!command && !grant && grants.length > 1)
    wrongInput('The holder has several grants: name a `command` or a `grant`.')
  // The one that was named is judged below, in the order of the specification.
  const wanted = grant === undefined ? { subject, command } : { grant }
  const { cid, path, effective } = chooseGrant(grants, wanted, { now, skew: 0, timing: 'nowOrLater' })
  const { subject: sub, expiresAt: end } = effective
  const cmd = command ?? effective.command
  const exp =
    expiresIn === undefined ? end : expiresIn === null ? null : checkMoment('expiresIn', now + expiresIn)
  const nbf = start && checkMoment('notBefore', start)
  // What could not be used, or promises more than the grant gives, is refused before anything is signed (UCAN 1.0.0, "Attenuation").
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
  // What is handed out is what is accepted: the limits and the form are checked by reading it.
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
