// A service's checks (UCAN 1.0.0, "Validation"), built from the holder's own parts, to test its reading of tokens,
// chains and policies with vectors written for services.
import { effectiveOf, findChain } from '../chain/chain.ts'
import { type Clock, checkLink, checkPath } from '../chain/path.ts'
import { cidText, readCid } from '../codec/cid.ts'
import { Budget } from '../codec/work-budget.ts'
import { HolderError, malformed, refuse } from '../errors.ts'
import { checkPolicies } from '../grants/choose.ts'
import { checkSignatures } from '../grants/signed.ts'
import { type Delegation, isDelegation, type Token } from '../token/payload.ts'
import { delegationsOf, readTokens } from '../token/read.ts'

export interface Question {
  readonly invocation?: string
  readonly token?: string
  readonly leaf?: string
  readonly proofs?: readonly string[]
  readonly now?: number
  readonly skew?: number
  readonly audience?: string
}

export type Answer =
  | {
      readonly valid: true
      readonly cid?: string
      readonly chain: readonly object[]
      readonly effective?: object
    }
  | { readonly valid: false; readonly error: { readonly name: string; readonly cid: string | null } }

async function answered(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HolderError)) throw error
    return { valid: false, error: { name: error.code, cid: error.cid ?? null } }
  }
}

const clockOf = ({ now = Date.now() / 1_000, skew = 60 }: Question): Clock => ({ now, skew, timing: 'now' })

const link = ({ cid, sub, exp }: Delegation) => ({ cid, subject: sub, expires_at: exp })

/** Like `verify_token` of the enclave. */
export function verifyToken(question: Question): Promise<Answer> {
  return answered(async () => {
    const budget = new Budget()
    const delegations = delegationsOf(await readTokens(question.token ?? '', budget))
    const signatures = (tokens: readonly Token[]) => checkSignatures(tokens, undefined, budget)
    const leaf = readCid(question.leaf ?? '')
    const path = await findChain(delegations, leaf && cidText(leaf), clockOf(question), signatures, budget)
    const { command, notBefore, expiresAt } = effectiveOf(path, budget)
    const effective = { command, not_before: notBefore, expires_at: expiresAt }
    return { valid: true, chain: path.map(link), effective }
  })
}

/** Like `validate_invocation` of the enclave. */
export function validateInvocation(question: Question): Promise<Answer> {
  return answered(async () => {
    const budget = new Budget()
    const clock = clockOf(question)
    const given = await readTokens(question.invocation ?? '', budget)
    const others = (await Promise.all((question.proofs ?? []).map((text) => readTokens(text, budget)))).flat()
    const [invocation, ...more] = given.filter((token) => !isDelegation(token))
    if (!invocation || isDelegation(invocation) || more.length > 0)
      return malformed('This is not one invocation.')
    const { cid, iss, sub, cmd, prf, exp, args } = invocation
    if (prf.length > 64) malformed('There are more than 64 proofs.', cid)
    const isSigned = await checkSignatures([invocation], undefined, budget)
    if (!isSigned(invocation)) refuse('InvalidSignature', 'The invocation is not signed.', { cid })
    if (exp !== null && clock.now > exp + clock.skew) refuse('Expired', 'The invocation expired.', { cid })
    if ((question.audience ?? invocation.aud ?? sub) !== (invocation.aud ?? sub))
      refuse('InvalidAudience', 'The invocation is for someone else.', { cid })
    if (iss === sub) return { valid: true, cid, chain: [] }
    if (prf.length === 0) refuse('InvalidClaim', 'There is no proof.', { cid })
    const known = new Map([...others, ...given].filter(isDelegation).map((each) => [each.cid, each]))
    const proofs: Delegation[] = prf.map((link) => {
      const wanted = cidText(link)
      return known.get(wanted) ?? refuse('UnavailableProof', 'A proof is missing.', { cid: wanted })
    })
    const path = checkPath(proofs, clock, await checkSignatures(proofs, undefined, budget), budget)
    checkLink(path.at(-1) ?? path[0], { cid, iss, sub, cmd }, path[0].iss, budget)
    checkPolicies(path, args, budget)
    return { valid: true, cid, chain: path.map(link) }
  })
}
