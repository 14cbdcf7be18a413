import type { Bounds } from '../bounds.ts'

/** Whose share of a feed a revocation uses. All at one depth below one of the owner's grants share a quota. */
export interface Quota {
  /** DID that the owner's own grant is for. */
  readonly grantee: string
  /** The signer's place in the chain: 1 for the grantee; below 1 for a delegate, who is not in it. */
  readonly depth: number
}

/** A quota as text, which stores know it by. */
export const quotaName = ({ grantee, depth }: Quota) => `${depth} ${grantee}`

/**
 * How many revocations a quota may hold. The shares 1/2, 1/6, 1/12 and so on add up to the grantee's, but each is at least
 * one. So however deep a chain gets, no one can use up the share of those above, who may need to revoke their grant.
 */
export function quotaLimit(quota: Quota | undefined, bounds: Bounds): number {
  if (quota === undefined) return bounds.ownRevocations
  const { depth } = quota
  const rank = depth < 1 ? 2 : depth === 1 ? 1 : depth + 1
  return Math.max(Math.floor(bounds.revocationsPerGrantee / (rank * (rank + 1))), 1)
}
