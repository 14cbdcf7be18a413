import type { StoredToken } from '@keyhole/vault'
import { isGiven, storedStanding } from '../../shared/tokens/capability.ts'

/** Stored tokens that stand or fall with a key. */
export interface KeyDependents {
  /** Given away with it, and not ended. */
  readonly signed: readonly StoredToken[]
  /** Given to it, and not ended. */
  readonly held: readonly StoredToken[]
}

/** What depends on the key of a DID. What a key gave to itself, and what has ended, depends on nothing. */
export function dependentsOf(did: string, tokens: readonly StoredToken[], now = Date.now()): KeyDependents {
  const live = tokens.filter((token) => storedStanding(token, now) !== 'ended')
  return {
    signed: live.filter((token) => isGiven(token) && token.issuer === did),
    held: live.filter((token) => token.type === 'received' && token.audienceDid === did),
  }
}
