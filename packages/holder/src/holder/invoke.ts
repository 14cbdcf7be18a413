import { leafOf } from '../chain/chain.ts'
import { checkLink } from '../chain/path.ts'
import { encodeCbor } from '../codec/cbor-writer.ts'
import { cidOf, cidText } from '../codec/cid.ts'
import { toValue } from '../codec/dag-json.ts'
import { isMap, type Value } from '../codec/value.ts'
import { Budget } from '../codec/work-budget.ts'
import { wrongInput } from '../errors.ts'
import { checkPolicies, chooseGrant } from '../grants/choose.ts'
import type { HeldGrant } from '../grants/grant.ts'
import { checkCommand, checkDid, checkMoment, checkReserved } from '../token/checks.ts'
import { writeContainer } from '../token/container.ts'
import { INVOCATION, signEnvelope } from '../token/envelope.ts'
import { readToken } from '../token/read.ts'
import type { CallOptions, Signer } from './options.ts'

/** How long an invocation holds where the caller does not say, in seconds: it is used at once. */
const DEFAULT_LIFETIME = 300

/** Whom an invocation is for. */
export interface InvokeOptions extends CallOptions {
  /** DID of whose resource it is. Default: the one that the grants are about, where that is one. */
  readonly subject?: string
  /** DID of whoever is to carry it out. Default: the subject. */
  readonly audience?: string
  /** Until when it may be used, in seconds from now. Default: five minutes, or until the grant ends. */
  readonly expiresIn?: number
  /** CID of the grant to use. Default: the narrowest that covers the call. */
  readonly grant?: string
}

/** An invocation, ready to be sent. Times are in seconds since 1970. */
export interface Invoked {
  /** The container text of the invocation with its proofs, as it goes into `Authorization: Bearer`. */
  readonly token: string
  /** The CID of the invocation. */
  readonly cid: string
  /** The CID of the task, by which a receipt names it. */
  readonly task: string
  readonly command: string
  /** Every limit that the arguments are within, in DAG-JSON. */
  readonly policy: readonly unknown[]
  readonly expiresAt: number
  /** The CID of the grant that was used; null where the holder is the subject itself. */
  readonly grant: string | null
}

/** Signs an invocation with the narrowest grant that covers it. @throws HolderError as `Holder.invoke` */
export async function invoke(
  grants: readonly HeldGrant[],
  { did, sign, now, nonce }: Signer,
  command: string,
  given: Readonly<Record<string, unknown>>,
  options: InvokeOptions,
): Promise<Invoked> {
  const args = toValue(given)
  if (!isMap(args)) wrongInput('`args` is no object.')
  checkCommand(command)
  const subject = checkDid('subject', options.subject)
  const audience = checkDid('audience', options.audience)
  const grant = subject === did ? undefined : grantFor(grants, command, args, options, now)
  checkReserved(command)
  const lifetime = options.expiresIn ?? DEFAULT_LIFETIME
  const end = checkMoment('expiresIn', now + lifetime)
  if (lifetime < 0) wrongInput('`expiresIn` is negative.')
  const expiresAt = options.expiresIn === undefined ? Math.min(end, grant?.effective.expiresAt ?? end) : end
  const sub = grant?.effective.subject ?? did
  const proofs = grant?.path ?? []
  const payload = {
    iss: did,
    sub,
    aud: audience,
    cmd: command,
    args: given,
    prf: proofs.map(({ link }) => link),
    nonce,
    exp: expiresAt,
    iat: now,
  }
  const bytes = await signEnvelope(INVOCATION, payload, sign)
  // What is handed out is what is accepted: the limits and the form are checked by reading it.
  const { cid } = await readToken(bytes, new Budget())
  // UCAN 1.0.0, "Task": what is done, whoever asks for it and by whatever right.
  const task = encodeCbor({ sub, cmd: command, args: given, nonce })
  return {
    token: await writeContainer([...proofs.map((proof) => proof.bytes), bytes]),
    cid,
    task: cidText(await cidOf(task)),
    command,
    policy: grant?.effective.policy ?? [],
    expiresAt,
    grant: grant?.cid ?? null,
  }
}

/** The grant that was named, if it covers the call; else the narrowest that does. */
function grantFor(
  grants: readonly HeldGrant[],
  command: string,
  args: Value,
  { grant, subject }: InvokeOptions,
  now: number,
): HeldGrant {
  const clock = { now, skew: 0, timing: 'now' } as const
  if (grant === undefined)
    return chooseGrant(grants, { command, args, subject: subject ?? only(grants) }, clock)
  const named = chooseGrant(grants, { grant }, clock)
  checkReserved(command)
  const leaf = leafOf(named.path)
  const budget = new Budget()
  const link = { cid: named.cid, iss: leaf.aud, sub: subject ?? null, cmd: command }
  checkLink(leaf, link, named.effective.subject, budget)
  checkPolicies(named.path, args, budget)
  return named
}

/** Where no subject is named, all grants are about one. */
function only(grants: readonly HeldGrant[]): string | undefined {
  const [subject, ...others] = new Set(grants.map(({ effective }) => effective.subject))
  return others.length > 0 ? wrongInput('The grants are over several subjects: name a `subject`.') : subject
}
