// The rules for a path of delegations, from the root down: first each one, then the root and the links (UCAN 1.0.0,
// "Validation").
import { type Budget, STEP } from '../codec/work-budget.ts'
import { malformed, refuse } from '../errors.ts'
import { covers } from '../token/command.ts'
import type { Delegation } from '../token/payload.ts'
import { MAX_CHAIN_LENGTH } from './search.ts'

/** The message for a chain with too many delegations. */
export const TOO_LONG = `A chain has at most ${MAX_CHAIN_LENGTH} delegations.`

/** When a chain must be valid: now; now or later; or at any time, for one that is only stored. */
export type Timing = 'now' | 'nowOrLater' | 'whenever'

/** The time of a check, and the accepted clock difference, both in seconds. */
export interface Clock {
  readonly now: number
  readonly skew: number
  readonly timing: Timing
}

/** Whether a token's signature is its issuer's. Only for tokens that were checked. */
export type Signed = (token: { readonly cid: string }) => boolean

/** Delegations that fit together, root first. Never empty. */
export type Path = readonly [Delegation, ...Delegation[]]

/**
 * Checks delegations as a chain, root first, in the order of the specification.
 * @throws HolderError InvalidClaim for no delegation or a root without a subject; MalformedToken beyond 64;
 *   InvalidSignature, Expired, TooEarly, InvalidSubject, InvalidAudience, InvalidCommand, each about the token that
 *   broke the rule; TooMuchWork
 */
export function checkPath(path: readonly Delegation[], clock: Clock, isSigned: Signed, budget: Budget): Path {
  const [root, ...rest] = path
  if (!root) return refuse('InvalidClaim', 'There is no proof.')
  if (path.length > MAX_CHAIN_LENGTH) malformed(TOO_LONG)
  for (const delegation of path) {
    const { cid, iss } = delegation
    if (!isSigned(delegation))
      refuse('InvalidSignature', `The token was not signed by ${iss}, as far as can be told.`, { cid })
    checkTime(delegation, clock)
  }
  const { cid, sub } = root
  if (sub === null) return refuse('InvalidClaim', 'The first delegation names no subject.', { cid })
  if (sub !== root.iss) refuse('InvalidSubject', `${sub} has delegated nothing here.`, { cid })
  let above = root
  for (const delegation of rest) {
    checkLink(above, delegation, sub, budget)
    above = delegation
  }
  return [root, ...rest]
}

/**
 * Checks that `below`, a delegation or an invocation, continues `above` in a chain about `subject`. @throws HolderError
 * as {@link checkPath}
 */
export function checkLink(
  above: Delegation,
  below: { readonly cid?: string; readonly iss: string; readonly sub: string | null; readonly cmd: string },
  subject: string,
  budget: Budget,
): void {
  budget.spend(3 * STEP)
  const { cid, iss, sub, cmd } = below
  if (above.aud !== iss) refuse('InvalidAudience', `${iss} uses what was granted to ${above.aud}.`, { cid })
  checkSubject(subject, sub, cid)
  checkCovers(above.cmd, cmd, cid)
}

/** A missing `other` matches any subject. @throws HolderError InvalidSubject */
export function checkSubject(
  subject: string,
  other: string | null | undefined,
  cid: string | undefined,
): void {
  if ((other ?? subject) !== subject)
    refuse('InvalidSubject', `The grant is over ${subject}, not ${other}.`, { cid })
}

/** @throws HolderError InvalidCommand */
export function checkCovers(command: string, other: string, cid: string | undefined): void {
  if (!covers(command, other))
    refuse('InvalidCommand', `The grant is for ${command.slice(0, 256)}, not ${other.slice(0, 256)}.`, {
      cid,
    })
}

/** @throws HolderError Expired, TooEarly */
export function checkTime({ cid, exp, nbf }: Delegation, { now, skew, timing }: Clock): void {
  if (timing !== 'whenever' && exp !== null && now > exp + skew)
    refuse('Expired', `The token expired at ${exp} (seconds since 1970).`, { cid })
  if (timing === 'now' && nbf !== undefined && now < nbf - skew)
    refuse('TooEarly', `The token starts at ${nbf} (seconds since 1970).`, { cid })
}
