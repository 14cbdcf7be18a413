import type { InspectedToken, ValidationResult, VerifyTokenResult } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { Capability } from '../grant-words/sentence.ts'
import { explainRule, refusalTitle } from '../words/explain-refusal.ts'
import { moment } from '../words/when.ts'

/** A delegation's payload, as far as it is shown; what does not fit is shown raw alone. */
const Payload = v.looseObject({
  iss: v.string(),
  aud: v.string(),
  sub: v.nullable(v.string()),
  cmd: v.string(),
  pol: v.array(v.unknown()),
  exp: v.nullable(v.number()),
  nbf: v.optional(v.number()),
})

/** One link of a chain with what was found about it. */
export interface Link {
  cid: string
  kind: string
  algorithm: string
  /** The delegation; undefined for a token of another kind. */
  capability: Capability | undefined
  payload: Record<string, unknown>
  /** What is wrong with it, in words; undefined when nothing is. */
  fault: string | undefined
}

/** A checked token: its links from the root to the leaf, and whether all of it holds. */
export interface Report {
  links: Link[]
  holds: boolean
  /** Why it does not hold: what happened, and what to do. */
  refusal: { title: string; advice: string } | undefined
  /** What holds along the whole chain; only of a chain that holds. */
  effective: Effective | undefined
}

export interface Effective {
  command: string
  policy: readonly unknown[]
  /** Milliseconds. */
  notBefore: number | undefined
  expiresAt: number | undefined
}

function capabilityOf(token: InspectedToken): Capability | undefined {
  const read = v.safeParse(Payload, token.payload)
  if (!read.success) return undefined
  const { iss, aud, sub, cmd, pol, exp, nbf } = read.output
  return {
    issuer: iss,
    audience: aud,
    subject: sub,
    command: cmd,
    policy: pol,
    notBefore: nbf === undefined ? undefined : nbf * 1000,
    expiresAt: exp === null ? undefined : exp * 1000,
  }
}

/** What was found about a whole chain, or a call and its chain. */
type Verdict = VerifyTokenResult | ValidationResult

/** Tokens of a container, root first: each after the one whose audience is its issuer. Strays keep their order at the end. */
export function rootFirst(tokens: readonly InspectedToken[]): InspectedToken[] {
  const rest = [...tokens]
  const ordered: InspectedToken[] = []
  const continues = (token: InspectedToken) =>
    tokens.some(
      (other) => other !== token && other.payload.aud === token.payload.iss && other.cid !== token.cid,
    )
  let next =
    rest.find((token) => token.payload.iss === token.payload.sub) ?? rest.find((token) => !continues(token))
  while (next) {
    ordered.push(next)
    rest.splice(rest.indexOf(next), 1)
    const last: InspectedToken = next
    next = rest.find((token) => token.payload.iss === last.payload.aud)
  }
  return [...ordered, ...rest]
}

function faultOf(
  token: InspectedToken,
  capability: Capability | undefined,
  result: Verdict,
  now: number,
): string | undefined {
  if (!token.signature_valid)
    return t`Its signature isn’t valid: it was changed after signing, or signed by another key.`
  if (!result.valid && result.error.cid === token.cid) {
    return refusalTitle(result.error.name) ?? t`It is not valid.`
  }
  if (capability?.expiresAt !== undefined && capability.expiresAt < now)
    return t`It expired on ${moment(capability.expiresAt)}.`
  if (capability?.notBefore !== undefined && capability.notBefore > now)
    return t`It starts on ${moment(capability.notBefore)}.`
  return undefined
}

/** A chain that holds has an order of its own; the links of one that does not are put in the likeliest. */
function inOrder(tokens: readonly InspectedToken[], result: Verdict): InspectedToken[] {
  if (!result.valid) return rootFirst(tokens)
  const place = new Map(result.chain.map(({ cid }, index) => [cid, index]))
  return tokens
    .filter(({ cid }) => place.has(cid))
    .sort((a, b) => (place.get(a.cid) ?? 0) - (place.get(b.cid) ?? 0))
}

/**
 * The links of a chain with what was found about each, root first.
 * @param now milliseconds
 */
export function makeLinks(tokens: readonly InspectedToken[], result: Verdict, now: number): Link[] {
  return inOrder(tokens, result).map((token): Link => {
    const capability = capabilityOf(token)
    const { cid, kind, algorithm, payload } = token
    return { cid, kind, algorithm, payload, capability, fault: faultOf(token, capability, result, now) }
  })
}

/**
 * What was found about a token, for people.
 * @param now milliseconds
 */
export function makeReport(
  tokens: readonly InspectedToken[],
  result: VerifyTokenResult,
  now: number,
): Report {
  const links = makeLinks(tokens, result, now)
  if (!result.valid) {
    return { links, holds: false, refusal: explainRule(result.error), effective: undefined }
  }
  const { command, policy, not_before: notBefore, expires_at: expiresAt } = result.effective
  return {
    links,
    holds: true,
    refusal: undefined,
    effective: {
      command,
      policy,
      notBefore: typeof notBefore === 'number' ? notBefore * 1000 : undefined,
      expiresAt: typeof expiresAt === 'number' ? expiresAt * 1000 : undefined,
    },
  }
}
