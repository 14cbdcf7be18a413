import { type Effective, effectiveOf, leafOf } from '../chain/chain.ts'
import type { Path } from '../chain/path.ts'
import type { Budget } from '../codec/work-budget.ts'
import { HolderError } from '../errors.ts'
import { writeContainer } from '../token/container.ts'

/** A checked grant, and its text in the store. */
export interface HeldGrant {
  readonly cid: string
  readonly path: Path
  readonly effective: Effective
  readonly text: string
}

/** Whether a result is a grant. */
export function isHeld(result: HeldGrant | HolderError): result is HeldGrant {
  return !(result instanceof HolderError)
}

/** A holder's grant. Times are in seconds since 1970. */
export interface Grant {
  /** The CID of the delegation to the holder. */
  readonly cid: string
  /** The container text: the delegation with all its proofs. Anyone can verify it offline. */
  readonly token: string
  /** The DID of the grant's issuer. */
  readonly issuer: string
  /** The DID of the resource's owner. */
  readonly subject: string
  readonly command: string
  /** Every limit along the chain, in DAG-JSON. */
  readonly policy: readonly unknown[]
  /** When it starts; null: at once. */
  readonly notBefore: number | null
  /** When it expires; null: never. */
  readonly expiresAt: number | null
  readonly state: 'active' | 'early' | 'expired'
  /** The CIDs of the whole chain, root first. */
  readonly chain: readonly string[]
}

/**
 * A grant from a chain. @throws HolderError MalformedToken for a policy that can't be expressed exactly, TooMuchWork
 */
export async function hold(path: Path, budget: Budget): Promise<HeldGrant> {
  const effective = effectiveOf(path, budget)
  return {
    cid: leafOf(path).cid,
    path,
    effective,
    text: await writeContainer(path.map(({ bytes }) => bytes)),
  }
}

/** A grant as callers see it, at a time. */
export function tell({ cid, path, effective, text }: HeldGrant, now: number): Grant {
  const { notBefore, expiresAt } = effective
  return {
    cid,
    token: text,
    issuer: leafOf(path).iss,
    ...effective,
    state: now > (expiresAt ?? now) ? 'expired' : now < (notBefore ?? now) ? 'early' : 'active',
    chain: path.map((delegation) => delegation.cid),
  }
}
