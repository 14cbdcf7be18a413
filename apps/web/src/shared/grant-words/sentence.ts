import { t } from '@lingui/core/macro'
import { commandWords, givenWords } from '../words/command.ts'
import { budgetWords } from '../words/payment.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { nearMoment } from '../words/when.ts'
import { type Contacts, NOBODY, shorten, signedWho } from '../words/who.ts'
import { type Limit, limitsText, policyLimits } from './limits.ts'
import { type Part, Parts } from './parts.ts'
import type { Spending } from './spending.ts'

export type { Part } from './parts.ts'

/** The parts of a delegation that its sentence needs. Times in milliseconds; a null subject means a powerline. */
export interface Capability {
  issuer: string
  audience: string
  subject: string | null
  command: string
  policy: readonly unknown[]
  notBefore?: number | undefined
  expiresAt?: number | undefined
  /** Whether the policy is that of the whole chain, not of this link alone. */
  isEffective?: boolean | undefined
  /** What a vault counts in addition, if known. It isn't part of the token. */
  spending?: Spending | undefined
  /** Whether it is a stored mandate of a vault to itself. Its count says the same, but is sealed while the vault is locked. */
  isToItself?: boolean | undefined
}

/** A grant in words: a sentence, with its limits in it or after it; the limits as a tree; and what is left open. */
export interface Grant {
  /** What a mandate's budget allows in all, if known. It is its real limit, so it comes first. */
  readonly budget: string | undefined
  readonly sentence: readonly Part[]
  /** All of them must be true. Empty if they are in the sentence, or there are none. */
  readonly limits: readonly Limit[]
  readonly notes: readonly string[]
}

/** Who lets whom do what, for whom. Each case has its own message because languages differ in each. */
function coreMessage(capability: Capability, contacts: Contacts, parts: Parts, what: string): string {
  const { issuer, audience, subject } = capability
  const { own } = contacts
  const all = [issuer, audience, subject ?? issuer]
  const name = (did: string) => {
    // With several own keys, say which one is meant.
    const text = own.has(did) ? shorten(did) : signedWho(did, contacts, all)
    return parts.put({ text, kind: 'who', full: did })
  }
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
    const end = parts.put({ text: t`with no expiry date`, kind: 'when' })
    return notBefore === undefined ? end : t`from ${at(notBefore)}, ${end}`
  }
  if (notBefore === undefined) return t`until ${at(expiresAt)}`
  return t`from ${at(notBefore)} until ${at(expiresAt)}`
}

/** The most conditions, and characters of them, that a sentence can carry. More go below it, one per line. */
const MOST_IN_PROSE = { conditions: 3, letters: 240 }

function isProse(limits: readonly Limit[]): boolean {
  const letters = limits.reduce((sum, { text }) => sum + text.length, 0)
  const { conditions } = MOST_IN_PROSE
  if (limits.length > conditions || letters > MOST_IN_PROSE.letters) return false
  return limits.every(({ of, note }) => of === undefined && note === undefined)
}

/** Whether limits of earlier links apply too that aren't shown here. */
function hasLimitsAbove({ issuer, subject, isEffective }: Capability): boolean {
  return isEffective !== true && issuer !== subject
}

/** Whether the reader's vault is the one that honours it. */
function isHonouredHere({ issuer, subject }: Capability, { own }: Contacts): boolean {
  return own.has(issuer) && subject !== null && own.has(subject)
}

function spendingWords({ budget, currency, digits }: Spending): string {
  const most = budgetWords(budget, currency, digits)
  return t`Budget: at most ${most}. This vault keeps count.`
}

function spendingNotes({ command, spending }: Capability, isOwn: boolean, isSealed: boolean): string[] {
  if (spending !== undefined) return []
  if (command === REQUEST && isOwn && isSealed)
    return [t`A budget that your vault keeps count of also limits it. Unlock the vault to see it.`]
  if (command === REQUEST && isOwn)
    return [t`A budget that your vault keeps count of also limits it. The token does not say how much.`]
  return command === REQUEST
    ? [t`A budget that the giver’s vault keeps count of also limits it. The token does not say how much.`]
    : []
}

/**
 * A grant in words: who lets whom do what, for whom, until when, and with which limits, all of them. Every place that shows a grant uses
 * this.
 * @param now milliseconds: an expiry within a week is shown by its weekday
 */
export function tellGrant(capability: Capability, contacts: Contacts = NOBODY, now = Date.now()): Grant {
  const { command, policy, spending } = capability
  const parts = new Parts()
  const { limits, notes: open, never } = policyLimits(command, policy, spending?.digits)
  const isNarrowed = hasLimitsAbove(capability)
  const above = isNarrowed ? [t`The limits of the grant that it comes from apply too.`] : []
  const isOwn = isHonouredHere(capability, contacts)
  const notes = [...spendingNotes(capability, isOwn, contacts.isSealed), ...open, ...above]
  const does = isOwn ? givenWords(command) : commandWords(command)
  const what = parts.put({ text: does, kind: 'what' })
  const isAutomatic = spending ? spending.isOwn : contacts.isSealed && capability.isToItself
  const core = isAutomatic
    ? t`This vault authorises payments automatically`
    : coreMessage(capability, contacts, parts, what)
  const when = whenMessage(capability, parts, now)
  const end = (message: string, beneath: readonly Limit[] = []): Grant => ({
    budget: spending && spendingWords(spending),
    sentence: parts.read(message),
    limits: beneath,
    notes,
  })
  if (never) return end(t`${core}, ${when}, but no call can meet its limits.`)
  if (limits.length === 0) {
    const none = parts.put({ text: isNarrowed ? t`with no limits added` : t`with no limits`, kind: 'limit' })
    return end(t`${core}, ${none}, ${when}.`)
  }
  if (isProse(limits)) {
    const all = limits
      .map(({ text }) => parts.put({ text, kind: 'limit' }))
      .reduce((a, b) => t`${a}, and ${b}`)
    return end(t`${core}, ${when}, if ${all}.`)
  }
  const count = limits.length
  return end(
    count === 1
      ? t`${core}, ${when}, if this condition is met:`
      : t`${core}, ${when}, if all ${count} conditions are met:`,
    limits,
  )
}

/** A grant as one unambiguous text, for places without room for a tree: read aloud, copied, searched. */
export function grantText({ budget, sentence, limits, notes }: Grant): string {
  const words = sentence.map(({ text }) => text).join('')
  const all = limits.length === 0 ? words : `${words} ${limitsText(limits)}.`
  return [...(budget === undefined ? [] : [budget]), all, ...notes].join(' ')
}

/** The same for a capability. */
export function delegationSentence(
  capability: Capability,
  contacts: Contacts = NOBODY,
  now = Date.now(),
): string {
  return grantText(tellGrant(capability, contacts, now))
}
