import type { StoredToken } from '@keyhole/vault'
import type { Capability } from '../grant-words/sentence.ts'
import { commandWords, givenWords } from '../words/command.ts'
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
  }
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

/** Where a stored token stands at `now` (milliseconds). */
export function storedStanding(stored: StoredToken, now: number): Standing {
  return standing(stored, now)
}

/** Whether this account gave it away: as a root, or narrowed from what it held. */
export function isGiven(stored: StoredToken): boolean {
  return stored.type === 'origin' || stored.type === 'attenuated'
}
