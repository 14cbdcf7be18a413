import { isRefusal } from '@keyhole/enclave'
import { plural, t } from '@lingui/core/macro'
import type { Capability } from '../../../shared/grant-words/sentence.ts'
import { explain, explainRule } from '../../../shared/words/explain-refusal.ts'
import type { Sandbox } from '../engine/sandbox.ts'

/** An answer in plain words. */
export interface Meaning {
  readonly good: boolean
  readonly text: string
  /** What a token allows someone to do. */
  readonly capability?: Capability
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const moment = (value: unknown) => (typeof value === 'number' ? value * 1000 : undefined)

/** What a valid chain allows its last holder, from `verify_token`. */
function capability(verified: unknown): Capability | undefined {
  const chain = field(verified, 'chain')
  const effective = field(verified, 'effective')
  const leaf: unknown = Array.isArray(chain) ? chain.at(-1) : undefined
  const policy = field(effective, 'policy')
  if (leaf === undefined || !Array.isArray(policy)) return undefined
  const subject = field(leaf, 'subject')
  return {
    issuer: text(field(leaf, 'issuer')),
    audience: text(field(leaf, 'audience')),
    subject: typeof subject === 'string' ? subject : null,
    command: text(field(effective, 'command')),
    policy,
    notBefore: moment(field(effective, 'not_before')),
    expiresAt: moment(field(effective, 'expires_at')),
    isEffective: true,
  }
}

/** What an answer means, if there is more to say than it says. */
export async function meaningOf(
  sandbox: Sandbox,
  name: string,
  answer: unknown,
): Promise<Meaning | undefined> {
  if (isRefusal(answer)) {
    const { title, advice } = explain(answer)
    return { good: false, text: `${title} ${advice}` }
  }
  if (field(answer, 'valid') === false) {
    const error = field(answer, 'error')
    // A wrong signature doesn't break a rule of the token.
    if (field(error, 'name') === undefined)
      return { good: false, text: t`The signature is not valid for these bytes and this key.` }
    const { title, advice } = explainRule(Object(error))
    return { good: false, text: `${title} ${advice}` }
  }
  switch (name) {
    case 'new_origin_token':
    case 'new_attenuated_token': {
      const made = { token: field(answer, 'token'), leaf: field(answer, 'cid') }
      const lets = capability(await sandbox.call('verify_token', made))
      return lets && { good: true, text: t`A token that anyone can check:`, capability: lets }
    }
    case 'verify_token': {
      const lets = capability(answer)
      return lets && { good: true, text: t`It’s valid:`, capability: lets }
    }
    case 'validate_invocation': {
      const chain = field(answer, 'chain')
      const links = Array.isArray(chain) ? chain.length : 0
      return {
        good: true,
        text: plural(links, {
          one: 'Allowed: # delegation backs it.',
          other: 'Allowed: # delegations back it.',
        }),
      }
    }
    case 'evaluate_policy':
      return field(answer, 'allowed') === true
        ? { good: true, text: t`This call would be allowed.` }
        : { good: false, text: t`This call would be refused: not every limit is met.` }
    case 'verify_data':
      return { good: true, text: t`The signature is valid for these bytes and this key.` }
    default:
      return undefined
  }
}
