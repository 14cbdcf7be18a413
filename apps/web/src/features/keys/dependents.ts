import type { StoredToken } from '@keyhole/vault'
import { isGiven, storedStanding } from '../../shared/tokens/capability.ts'

/** Stored tokens that depend on a key. */
export interface KeyDependents {
  /** Active grants signed with it. */
  readonly signed: readonly StoredToken[]
  /** Active grants issued to it. */
  readonly held: readonly StoredToken[]
}

/** What depends on the key of a DID. A grant to itself, or one that has ended, doesn't. */
export function dependentsOf(did: string, tokens: readonly StoredToken[], now = Date.now()): KeyDependents {
  const live = tokens.filter((token) => storedStanding(token, now) !== 'ended')
  return {
    signed: live.filter((token) => isGiven(token) && token.issuer === did),
    held: live.filter((token) => token.type === 'received' && token.audienceDid === did),
  }
}
