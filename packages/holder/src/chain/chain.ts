// A grant: delegations checked as a chain, from the owner of a resource to the holder of the last one.

import { encodeCbor } from '../codec/cbor-writer.ts'
import { fromValue } from '../codec/dag-json.ts'
import { toLatin1 } from '../codec/text.ts'
import { type Budget, READ } from '../codec/work-budget.ts'
import { attempt, HolderError, malformed } from '../errors.ts'
import type { Delegation } from '../token/payload.ts'
import { type Clock, checkPath, type Path, type Signed } from './path.ts'
import { findLeaf, findPaths } from './search.ts'

/**
 * What the holder of a chain's last token may do, with every limit along the chain. Times are in seconds since 1970.
 */
export interface Effective {
  readonly subject: string
  readonly command: string
  /** Every statement of every policy, each once, in DAG-JSON. */
  readonly policy: readonly unknown[]
  readonly notBefore: number | null
  readonly expiresAt: number | null
}

/**
 * Finds and checks the leaf and the only valid chain to it among delegations in any order. There may be unrelated ones;
 * an expired or forged duplicate of a link does no harm.
 * @param named the CID of the leaf; undefined for the one that no other continues
 * @param signatures checks all of these signatures at once
 * @throws HolderError MalformedToken if there is no delegation, or more than one leaf or valid chain; UnavailableProof
 *   if the named one is missing; otherwise as {@link checkPath}, about the chain that comes closest
 */
export async function findChain(
  delegations: readonly Delegation[],
  named: string | undefined,
  clock: Clock,
  signatures: (delegations: readonly Delegation[]) => Promise<Signed>,
  budget: Budget,
): Promise<Path> {
  const paths = findPaths(delegations, findLeaf(delegations, named), budget)
  // Signatures take the most time, so those of all paths are checked together.
  const isSigned = await signatures([...new Set(paths.flat())])
  const results = paths.map((path) => attempt(() => checkPath(path, clock, isSigned, budget)))
  const [path = results[0], ...others] = results.filter(
    (each) => !(each instanceof HolderError) || each.code === 'TooMuchWork',
  )
  if (others.length > 0) malformed('Several chains lead to this grant, with different limits.')
  if (!path || path instanceof HolderError) throw path
  return path
}

/** A path's last delegation. */
export function leafOf(path: Path): Delegation {
  return path.at(-1) ?? path[0]
}

/**
 * What the leaf's audience may do. @throws HolderError MalformedToken for a policy that can't be expressed exactly;
 * TooMuchWork
 */
export function effectiveOf(path: Path, budget: Budget): Effective {
  const statements = new Map<string, unknown>()
  for (const { bytes, pol } of path) {
    // Compares encodings, because comparing all pairs would take quadratic time.
    budget.spend(READ * bytes.length)
    for (const statement of pol.source) {
      const told = fromValue(statement)
      statements.set(toLatin1(encodeCbor(told)), told)
    }
  }
  const starts = path.flatMap(({ nbf }) => nbf ?? [])
  const ends = path.flatMap(({ exp }) => exp ?? [])
  return {
    subject: path[0].iss,
    command: leafOf(path).cmd,
    policy: [...statements.values()],
    notBefore: starts.length > 0 ? Math.max(...starts) : null,
    expiresAt: ends.length > 0 ? Math.min(...ends) : null,
  }
}
