// Checks invocations and revocations by the enclave, which has no keys here.
import { type Enclave, isRefusal, tokenCid } from '@keyhole/enclave'
import type { Link } from '../stores/link.ts'
import type { Quota } from '../stores/quota.ts'

/** A valid invocation. */
export interface Authorized {
  /** DID of the owner of the mailbox or feed. */
  readonly subject: string
  readonly issuer: string
  readonly args: Readonly<Record<string, unknown>>
  /** Its proofs, root first; empty if the issuer is the subject. */
  readonly chain: readonly Link[]
  /** DID that the owner's own grant is for; undefined if the issuer is the subject. */
  readonly grantee: string | undefined
}

/** A token that isn't valid, with the rule that it breaks. */
export interface Invalid {
  readonly rule: string
}

/** A valid revocation of a delegation that would be valid without it. */
export interface Revoked {
  /** DID of the owner. */
  readonly subject: string
  /** The quota that it counts towards; undefined if the owner signed it. */
  readonly quota: Quota | undefined
  /** The revocation's own CID. */
  readonly id: string
  /** DIDs of its issuer and, if that is another, its subject. */
  readonly by: readonly string[]
  /** CID of the delegation. */
  readonly cid: string
  /** When the delegation expires, in seconds since 1970; null for never. */
  readonly expiresAt: number | null
}

/** Accepted clock difference, in seconds. */
const SKEW = 60
/** Most different starts of a chain, each later than those above it. */
const MOST_STARTS = 16

interface DatedLink extends Link {
  readonly audience: string
  readonly not_before: number | null
  readonly expires_at: number | null
}

/** Checks that an invocation is valid, for this command and audience. @param now in seconds since 1970 */
export async function checkInvocation(
  enclave: Enclave,
  token: string,
  { command, audience, now }: { readonly command: string; readonly audience: string; readonly now: number },
): Promise<Authorized | Invalid> {
  const verdict = await enclave.call('validate_invocation', { invocation: token, audience, now, skew: SKEW })
  if (isRefusal(verdict)) return { rule: verdict.name }
  if (!verdict.valid) return { rule: verdict.error.name }
  // The invoked command itself, not one above it.
  if (verdict.command !== command) return { rule: 'InvalidCommand' }
  return {
    subject: verdict.subject,
    issuer: verdict.issuer,
    args: Object(verdict.args ?? {}),
    chain: verdict.chain.map(({ cid, issuer }) => ({ cid, issuer })),
    grantee: verdict.chain[0]?.audience,
  }
}

/**
 * Checks that a revocation is signed, and that its signer may revoke the delegation.
 *
 * @param revocation text of the revocation with its proofs
 * @param token text of the revoked delegation with its proofs
 * @param now in seconds since 1970
 */
export async function checkRevocation(
  enclave: Enclave,
  revocation: string,
  token: string,
  now: number,
): Promise<Revoked | Invalid> {
  const inspected = await enclave.call('inspect_token', { token: revocation })
  if (isRefusal(inspected)) return { rule: inspected.name }
  const [signed, ...others] = inspected.tokens.filter(({ kind }) => kind === 'invocation')
  const invocation = Object(signed?.payload)
  const cid = tokenCid(invocation.args?.revoke)
  if (!signed || others.length > 0 || invocation.cmd !== '/ucan/revoke' || cid === undefined)
    return { rule: 'InvalidCommand' }
  const held = await verifyAtStart(enclave, token, cid, now)
  if ('rule' in held) return held
  const { chain, start } = held
  const [root] = chain
  const leaf = chain.at(-1)
  if (!root || !leaf) return { rule: 'MalformedToken' }
  const judged = await enclave.call('verify_token', {
    token,
    leaf: cid,
    now: start,
    skew: SKEW,
    revocations: [revocation],
  })
  if (isRefusal(judged)) return { rule: judged.name }
  const isRevoked = !judged.valid && judged.error.name === 'Revoked' && judged.error.cid === cid
  if (!isRevoked) return { rule: 'NotRevoked' }
  // One quota per depth below each grant: someone at a depth can make any number of keys below it.
  const depth = chain.findIndex(({ issuer }) => issuer === invocation.iss)
  return {
    subject: root.issuer,
    id: signed.cid,
    by: [...new Set([String(invocation.iss), String(invocation.sub)])],
    quota: depth === 0 ? undefined : { depth, grantee: root.audience },
    cid,
    expiresAt: leaf.expires_at,
  }
}

/** A delegation can be revoked before it starts, so it is verified at the first time when all of its chain has started. */
async function verifyAtStart(
  enclave: Enclave,
  token: string,
  leaf: string,
  now: number,
): Promise<{ readonly chain: readonly DatedLink[]; readonly start: number } | Invalid> {
  let start = now
  for (let round = 0; round < MOST_STARTS; round += 1) {
    const verified = await enclave.call('verify_token', { token, leaf, now: start, skew: SKEW })
    if (isRefusal(verified)) return { rule: verified.name }
    if (verified.valid) return { chain: verified.chain, start }
    const { name, expected } = verified.error
    if (name !== 'TooEarly' || typeof expected !== 'number' || expected <= start) return { rule: name }
    start = expected
  }
  return { rule: 'TooEarly' }
}
