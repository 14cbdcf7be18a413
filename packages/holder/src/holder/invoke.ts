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
import { writeCall } from '../token/container.ts'
import { INVOCATION, signEnvelope } from '../token/envelope.ts'
import { readToken } from '../token/read.ts'
import type { CallOptions, Signer } from './options.ts'

/** An invocation's default lifetime, in seconds: it is meant to be used at once. */
const DEFAULT_LIFETIME = 300

/** Options of an invocation. */
export interface InvokeOptions extends CallOptions {
  /** DID of the resource's owner. Default: the one that all grants are about. */
  readonly subject?: string
  /** DID of the service that executes it. Default: the subject. */
  readonly audience?: string
  /** How long it may be used, in seconds. Default: five minutes, or until the grant expires. */
  readonly expiresIn?: number
  /** CID of the grant to use. Default: the narrowest that covers the call. */
  readonly grant?: string
}

/** An invocation, ready to send. Times are in seconds since 1970. */
export interface Invoked {
  /** The container text of the invocation with its proofs, for `Authorization: Bearer`. */
  readonly token: string
  /** The CID of the invocation. */
  readonly cid: string
  /** The CID of the task, which a receipt refers to. */
  readonly task: string
  readonly command: string
  /** Every limit on the arguments, in DAG-JSON. */
  readonly policy: readonly unknown[]
  readonly expiresAt: number
  /** The CID of the grant used; null if the holder is the subject. */
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
  if (!isMap(args)) wrongInput('`args` must be an object.')
  checkCommand(command)
  const subject = checkDid('subject', options.subject)
  const audience = checkDid('audience', options.audience)
  const lifetime = options.expiresIn ?? DEFAULT_LIFETIME
  const end = checkMoment('expiresIn', lifetime < 0 ? Number.NaN : now + lifetime)
  const grant = subject === did ? undefined : grantFor(grants, command, args, options, now)
  checkReserved(command)
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
  // Reading it back checks its limits and form, so that only what services accept is handed out.
  const { cid } = await readToken(bytes, new Budget())
  // UCAN 1.0.0, "Task": what is done, independent of who asks and with what authority.
  const task = encodeCbor({ sub, cmd: command, args: given, nonce })
  return {
    token: await writeCall([...proofs.map((proof) => proof.bytes), bytes]),
    cid,
    task: cidText(await cidOf(task)),
    command,
    policy: grant?.effective.policy ?? [],
    expiresAt,
    grant: grant?.cid ?? null,
  }
}

/** The named grant, if it covers the call; otherwise the narrowest that does. */
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

/** Without a subject, all grants must be about the same one. */
function only(grants: readonly HeldGrant[]): string | undefined {
  const [subject, ...others] = new Set(grants.map(({ effective }) => effective.subject))
  return others.length > 0 ? wrongInput('The grants are over several subjects: name a `subject`.') : subject
}
