import { t } from '@lingui/core/macro'
import { commandWords } from './command.ts'
import { sentenceLimits } from './limits.ts'
import { type Part, Parts } from './parts.ts'
import { nearMoment } from './when.ts'
import { type Acquaintance, NOBODY, who } from './who.ts'

export { limitWords } from './limits.ts'
export type { Part } from './parts.ts'

/** A delegation, as far as its sentence needs it. Times in milliseconds; null subject is a powerline. */
export interface Capability {
  issuer: string
  audience: string
  subject: string | null
  command: string
  policy: readonly unknown[]
  notBefore?: number | undefined
  expiresAt?: number | undefined
}

/** Who lets whom do what, in whose name: a message for each case, since languages differ in each. */
function coreMessage(capability: Capability, { own }: Acquaintance, parts: Parts, what: string): string {
  const { issuer, audience, subject } = capability
  const name = (did: string) => parts.put({ text: who(did), kind: 'who', full: did })
  const giver = own.has(issuer) ? 'you' : 'them'
  const taker = own.has(audience) ? 'you' : 'them'
  const about = subject === null ? 'any' : subject === issuer ? 'own' : own.has(subject) ? 'yours' : 'other'
  const [i, a, s] = [name(issuer), name(audience), name(subject ?? issuer)]
  switch (`${giver} ${taker} ${about}` as const) {
    case 'you you own':
      return t`You let yourself ${what}`
    case 'you you any':
      return t`You let yourself ${what}, for anyone who grants it to ${i}`
    case 'you you yours':
      return t`You let yourself ${what} in your name`
    case 'you you other':
      return t`You let yourself ${what} for ${s}`
    case 'you them own':
      return t`You let ${a} ${what}`
    case 'you them any':
      return t`You let ${a} ${what}, for anyone who grants it to ${i}`
    case 'you them yours':
      return t`You let ${a} ${what} in your name`
    case 'you them other':
      return t`You let ${a} ${what} for ${s}`
    case 'them you own':
      return t`${i} lets you ${what}`
    case 'them you any':
      return t`${i} lets you ${what}, for anyone who grants it to ${i}`
    case 'them you yours':
      return t`${i} lets you ${what} in your name`
    case 'them you other':
      return t`${i} lets you ${what} for ${s}`
    case 'them them own':
      return t`${i} lets ${a} ${what}`
    case 'them them any':
      return t`${i} lets ${a} ${what}, for anyone who grants it to ${i}`
    case 'them them yours':
      return t`${i} lets ${a} ${what} in your name`
    case 'them them other':
      return t`${i} lets ${a} ${what} for ${s}`
  }
}

function whenMessage({ notBefore, expiresAt }: Capability, parts: Parts, now: number): string {
  const at = (ms: number) => parts.put({ text: nearMoment(ms, now), kind: 'when' })
  if (expiresAt === undefined) {
    const end = parts.put({ text: t`without end`, kind: 'when' })
    return notBefore === undefined ? end : t`from ${at(notBefore)}, ${end}`
  }
  if (notBefore === undefined) return t`until ${at(expiresAt)}`
  return t`from ${at(notBefore)} until ${at(expiresAt)}`
}

/**
 * The sentence, in parts: who lets whom do what, for whom, within which limits, until when. Every statement of the policy
 * is in it.
 * @param now milliseconds: ends within a week are said by their weekday
 */
export function delegationParts(
  capability: Capability,
  acquaintance: Acquaintance = NOBODY,
  now = Date.now(),
): Part[] {
  const parts = new Parts()
  const limit = (text: string) => parts.put({ text, kind: 'limit' })
  const what = parts.put({ text: commandWords(capability.command), kind: 'what' })
  const core = coreMessage(capability, acquaintance, parts, what)
  const { phrases, conditions } = sentenceLimits(capability.command, capability.policy)
  const bounded = phrases.map(limit).reduce((a, b) => t`${a}, ${b}`, core)
  const timed = t`${bounded}, ${whenMessage(capability, parts, now)}`
  const [first, ...rest] = conditions.map(limit)
  if (first === undefined) return parts.read(`${timed}.`)
  const all = rest.reduce((a, b) => t`${a}, and ${b}`, first)
  return parts.read(t`${timed}, provided that ${all}.`)
}

/** The sentence as text. */
export function delegationSentence(
  capability: Capability,
  acquaintance: Acquaintance = NOBODY,
  now = Date.now(),
): string {
  return delegationParts(capability, acquaintance, now)
    .map((part) => part.text)
    .join('')
}
