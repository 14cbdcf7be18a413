import { commandWords } from './command.ts'
import { paymentWords } from './payment.ts'
import { policyWords } from './policy.ts'
import { moment } from './when.ts'
import { type Acquaintance, NOBODY, who } from './who.ts'

/** What a sentence is made of, so that a page can set the parts that matter in weight. */
export interface Part {
  text: string
  kind: 'plain' | 'who' | 'what' | 'limit' | 'when'
  /** The whole DID behind a shortened one. */
  full?: string
}

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

const plain = (text: string): Part => ({ text, kind: 'plain' })

/** The limits of a policy in words, in the terms of what the command is about. */
export function limitWords(command: string, policy: readonly unknown[]): string[] {
  return command === '/payment/authorize' ? paymentWords(policy) : policyWords(policy)
}

/** The sentence, in parts: who lets whom do what, for whom, within which limits, until when. */
export function delegationParts(capability: Capability, acquaintance: Acquaintance = NOBODY): Part[] {
  const { issuer, audience, subject, command, policy, notBefore, expiresAt } = capability
  const person = (did: string): Part => ({ text: who(did, acquaintance), kind: 'who', full: did })
  const giver = person(issuer)
  const parts: Part[] = [
    { ...giver, text: giver.text === 'you' ? 'You' : giver.text },
    plain(giver.text === 'you' ? ' let ' : ' lets '),
    giver.text === 'you' && acquaintance.own.has(audience)
      ? { ...person(audience), text: 'yourself' }
      : person(audience),
    plain(' '),
    { text: commandWords(command), kind: 'what' },
  ]
  if (subject === null) parts.push(plain(' for anyone who grants it to '), person(issuer))
  else if (acquaintance.own.has(subject) && subject !== issuer) parts.push(plain(' in your name'))
  else if (subject !== issuer) parts.push(plain(' for '), person(subject))

  limitWords(command, policy).forEach((limit, index) => {
    parts.push(plain(index === 0 ? ', provided that ' : ', and '), { text: limit, kind: 'limit' })
  })
  if (notBefore !== undefined) parts.push(plain(', from '), { text: moment(notBefore), kind: 'when' })
  parts.push(
    plain(expiresAt === undefined ? ', ' : ', until '),
    { text: expiresAt === undefined ? 'without end' : moment(expiresAt), kind: 'when' },
    plain('.'),
  )
  return parts
}

/** The sentence as text. */
export function delegationSentence(capability: Capability, acquaintance: Acquaintance = NOBODY): string {
  return delegationParts(capability, acquaintance)
    .map((part) => part.text)
    .join('')
}
