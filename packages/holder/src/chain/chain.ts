// A grant: delegations that were checked as a chain, from the owner of a resource to whoever holds the last one.

import { encodeCbor } from '../codec/cbor-writer.ts'
import { fromValue } from '../codec/dag-json.ts'
import { toLatin1 } from '../codec/text.ts'
import { type Budget, READ } from '../codec/work-budget.ts'
import { attempt, HolderError, malformed } from '../errors.ts'
import type { Delegation } from '../token/payload.ts'
import { type Clock, checkPath, type Path, type Signed } from './path.ts'
import { findLeaf, findPaths } from './search.ts'

/** What the holder of a chain's last token may really do: every limit along the chain holds. Times are in seconds since 1970. */
export interface Effective {
  readonly subject: string
  readonly command: string
  /** Every statement of every policy, each once, in DAG-JSON. */
  readonly policy: readonly unknown[]
  readonly notBefore: number | null
  readonly expiresAt: number | null
}

/**
 * Finds the leaf and the one valid chain to it among delegations in any order, and checks it. Others may be among them; an expired or
 * forged duplicate of a link does no harm.
 *
 * @param named the CID of the leaf; undefined for the one that no other continues
 * @param signatures answers whether signatures hold, of all of these at once
 * @throws HolderError MalformedToken where there is no delegation, or more than one leaf or valid chain; UnavailableProof where the named
 *   one is not among them; otherwise as {@link checkPath}, about the chain that comes closest
 */
export async function findChain(
  delegations: readonly Delegation[],
  named: string | undefined,
  clock: Clock,
  signatures: (delegations: readonly Delegation[]) => Promise<Signed>,
  budget: Budget,
): Promise<Path> {
  const paths = findPaths(delegations, findLeaf(delegations, named), budget)
  // Signatures take the time: those of every path are checked together.
  const isSigned = await signatures([...new Set(paths.flat())])
  const results = paths.map((path) => attempt(() => checkPath(path, clock, isSigned, budget)))
  const [path = results[0], ...others] = results.filter(
    (each) => !(each instanceof HolderError) || each.code === 'TooMuchWork',
  )
  if (others.length > 0) malformed('Several chains lead to this grant, with different limits.')
  if (!path || path instanceof HolderError) throw path
  return path
}

/** The last one of a path. */
export function leafOf(path: Path): Delegation {
  return path.at(-1) ?? path[0]
}

/** What the leaf's audience may really do. @throws HolderError MalformedToken for a policy that can't be told exactly; TooMuchWork */
export function effectiveOf(path: Path, budget: Budget): Effective {
  const statements = new Map<string, unknown>()
  for (const { bytes, pol } of path) {
    // By their encodings: comparing each with each would take the square of their number.
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
