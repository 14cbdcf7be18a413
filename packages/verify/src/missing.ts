// What to ask the owner for after a refusal: exactly this call, and nothing more.
import { stringifyJson } from '@keyhole/enclave'
import { type Checker, tokensOf } from './checker.ts'
import { invocationsIn } from './invocations-in.ts'
import type { Missing, Refusal } from './verdict.ts'

/** Refusals that a new grant can fix. */
const MENDABLE: readonly Refusal['name'][] = [
  'MatchError',
  'InvalidCommand',
  'InvalidClaim',
  'UnavailableProof',
  'Expired',
  'Revoked',
]
/** Maximum length of a policy as JSON, in characters, so that it fits into a request with its other fields. */
const LONGEST_POLICY = 8_192

/**
 * The grant that a refused invocation lacks. Undefined if no grant would help, or if its limits would be too long: a
 * request without them would ask for too much.
 */
export async function missingOf(
  checker: Checker,
  token: string,
  subjects: readonly string[],
  { name, cid }: Refusal,
): Promise<Missing | undefined> {
  if (!MENDABLE.includes(name)) return undefined
  // Its proofs, and whatever else is in the text, were read once.
  const read = (await invocationsIn(token)).map((text) => tokensOf(checker, text))
  const [invocation, ...others] = (await Promise.all(read)).flat().filter(({ kind }) => kind === 'invocation')
  if (!invocation || others.length > 0) return undefined
  // If the invocation itself is too old, its caller signs a new one.
  if (name === 'Expired' && cid === invocation.cid) return undefined
  const { sub: subject, cmd: command, args } = invocation.payload
  if (typeof subject !== 'string' || !subjects.includes(subject) || typeof command !== 'string')
    return undefined
  const policy = policyOf(Object(args))
  return policy && { subject, command, policy }
}

/**
 * The limit that allows exactly these arguments; undefined if it is too long. A limit for each would allow others beside
 * them.
 */
export function policyOf(args: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const policy = [['==', '.', args]]
  return stringifyJson(policy).length <= LONGEST_POLICY ? policy : undefined
}
