// Finds a chain among delegations in any order. Delegations don't name their proofs and a container is sorted by bytes,
// so the chain is what fits together. Many delegations between few people have very many paths, so every step is
// charged. (docs/ucan.md, "Chains".)
import { type Budget, COMPARED, STEP } from '../codec/work-budget.ts'
import { malformed, refuse } from '../errors.ts'
import { covers } from '../token/command.ts'
import type { Delegation } from '../token/payload.ts'

/** Most delegations in a chain. */
export const MAX_CHAIN_LENGTH = 64

/** Whether it can start a chain: its issuer is its subject. */
const isRoot = ({ iss, sub }: Delegation) => iss === sub

/**
 * The leaf: the one named, or the only delegation that no other continues.
 * @throws HolderError UnavailableProof if the named one is missing; MalformedToken if there is none or more than one
 */
export function findLeaf(all: readonly Delegation[], cid: string | undefined): Delegation {
  if (cid !== undefined) {
    const named = all.find((delegation) => delegation.cid === cid)
    return named ?? refuse('UnavailableProof', 'The delegation that was named is not here.', { cid })
  }
  // Who passes something on, and who is given something. A root starts over and continues nothing.
  const passOn = new Set(all.filter((each) => !isRoot(each)).map(({ iss }) => iss))
  const given = new Set(all.map(({ aud }) => aud))
  const leaves = all.filter(({ aud }) => !passOn.has(aud))
  // A delegation whose issuer was given nothing means a broken chain, not a second leaf. That is what to report.
  const loose = leaves.filter((each) => !isRoot(each) && !given.has(each.iss))
  const [leaf, other] = leaves.length > 1 ? loose : leaves
  return leaf && !other ? leaf : malformed('This contains no grant, or several: name the one to use.')
}

/**
 * All paths from a root to `leaf`, root first, with matching principals, subjects and commands. If there is none, the
 * closest one, so that checking it says what is wrong: also that it is too long.
 * @throws HolderError TooMuchWork
 */
export function findPaths(all: readonly Delegation[], leaf: Delegation, budget: Budget): Delegation[][] {
  /** Delegations to `lower`'s issuer that aren't on the path yet. */
  const above = (lower: Delegation, path: readonly Delegation[]) => {
    budget.spend(STEP * (all.length + path.length))
    return all.filter((each) => each.aud === lower.iss && !path.includes(each))
  }
  /** All paths that end in `path`, which starts with `lower`; `subject` is the one named so far. */
  const upFrom = (path: Delegation[], lower: Delegation, subject: string | null): Delegation[][] => {
    if (isRoot(lower)) return [path]
    if (path.length === MAX_CHAIN_LENGTH) return []
    return above(lower, path).flatMap((upper) => {
      budget.spend(COMPARED * upper.cmd.length)
      const named = upper.sub ?? subject
      const fits = covers(upper.cmd, lower.cmd) && named === (subject ?? named)
      return fits ? upFrom([upper, ...path], upper, named) : []
    })
  }
  const closest = () => {
    const path = [leaf]
    for (
      let lower: Delegation | undefined = leaf;
      lower && !isRoot(lower) && path.length <= MAX_CHAIN_LENGTH;
    ) {
      const { sub } = lower
      // If its issuer was given nothing, fall back to a root over the same subject.
      const roots: Delegation[] = all.filter((each) => isRoot(each) && (sub ?? each.sub) === each.sub)
      lower = [...above(lower, path), ...roots].find((each) => !path.includes(each))
      if (lower) path.unshift(lower)
    }
    return path
  }
  const paths = upFrom([leaf], leaf, leaf.sub)
  return paths.length > 0 ? paths : [closest()]
}
