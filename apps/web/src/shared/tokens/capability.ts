import type { Mandate, StoredToken } from '@keyhole/vault'
import type { Capability } from '../grant-words/sentence.ts'
import type { ListedToken } from '../search-index/token-messages.ts'
import { commandWords, givenWords } from '../words/command.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { type Standing, standing } from '../words/when.ts'
import type { Basis } from './use-basis.ts'

/** A stored token as its sentence needs it. */
export function storedCapability(stored: StoredToken): Capability {
  return {
    issuer: stored.issuer,
    audience: stored.audienceDid ?? stored.audience,
    subject: stored.subject,
    command: stored.command,
    policy: stored.policy,
    notBefore: stored.notBefore,
    expiresAt: stored.expiresAt,
    isToItself: isToItself(stored),
  }
}

/** Whether a stored token is a mandate that its vault made to itself, to pay automatically. */
export function isToItself({
  type,
  command,
  issuer,
  audienceDid,
}: Pick<StoredToken, 'type' | 'command' | 'issuer' | 'audienceDid'>): boolean {
  return type === 'origin' && command === REQUEST && audienceDid === issuer
}

/** The same along its whole chain, where that was read. */
export function heldCapability(stored: StoredToken, basis: Basis | undefined): Capability {
  const link = storedCapability(stored)
  if (basis === undefined) return link
  const { command, policy, subject, notBefore, expiresAt } = basis
  return { ...link, command, policy, subject, notBefore, expiresAt, isEffective: true }
}

/** What a stored token lets its holder do, as the end of "may …". */
export function storedWords({ type, subject, command }: Pick<StoredToken, 'type' | 'subject' | 'command'>) {
  return type === 'origin' && subject !== null ? givenWords(command) : commandWords(command)
}

type Window = Pick<StoredToken, 'notBefore' | 'expiresAt' | 'createdAt'>

/** Where a stored token stands at `now` (milliseconds). */
export function storedStanding(stored: Window, now: number): Standing {
  return standing(stored, now)
}

/** What of a stored token says whether it can be suspended. */
type Suspendable = Window &
  Pick<StoredToken, 'cid' | 'command'> &
  Partial<Pick<ListedToken, 'revoked' | 'revokedAbove'>>

/** Whether it's a mandate of this account, which it can suspend. While that can't be read, such a one isn't called active. */
export function canBeSuspended({ command, type }: Pick<StoredToken, 'command' | 'type'>): boolean {
  return command === REQUEST && type === 'origin'
}

/** Whether it's a mandate that is suspended at `now` (milliseconds). One that is over is not. */
export function isSuspended(stored: Suspendable, mandates: readonly Mandate[], now: number): boolean {
  if (stored.command !== REQUEST || stored.revoked || stored.revokedAbove) return false
  if (storedStanding(stored, now) === 'ended') return false
  return mandates.some(({ cid, suspended }) => cid === stored.cid && suspended)
}

/** Whether this account gave it away: as a root, or narrowed from what it held. */
export function isGiven(stored: StoredToken): boolean {
  return stored.type === 'origin' || stored.type === 'attenuated'
}
