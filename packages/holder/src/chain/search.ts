// Finding a chain among delegations in any order. Delegations name no proofs and a container is sorted by bytes, so the chain is what
// fits together. Many delegations between few people have very many paths: every step is charged. (docs/ucan.md, "Chains".)
import { type Budget, COMPARED, STEP } from '../codec/work-budget.ts'
import { malformed, refuse } from '../errors.ts'
import { covers } from '../token/command.ts'
import type { Delegation } from '../token/payload.ts'

/** Most delegations in a chain. */
export const MAX_CHAIN_LENGTH = 64

/** Whether it can start a chain: its issuer is its subject. */
const isRoot = ({ iss, sub }: Delegation) => iss === sub

/**
 * The leaf: the one named, or the one delegation that no other continues.
 *
 * @throws HolderError UnavailableProof where the named one is not there; MalformedToken where there is none or more than one
 */
export function findLeaf(all: readonly Delegation[], cid: string | undefined): Delegation {
  if (cid !== undefined) {
    const named = all.find((delegation) => delegation.cid === cid)
    return named ?? refuse('UnavailableProof', 'The delegation that was named is not here.', { cid })
  }
  // Who passes something on, and who is given something. A root starts anew and continues nothing.
  const passOn = new Set(all.filter((each) => !isRoot(each)).map(({ iss }) => iss))
  const given = new Set(all.map(({ aud }) => aud))
  const leaves = all.filter(({ aud }) => !passOn.has(aud))
  // One that hangs in the air is no second leaf but a broken chain, and that is what to say.
  const loose = leaves.filter((each) => !isRoot(each) && !given.has(each.iss))
  const [leaf, ...others] = leaves.length > 1 ? loose : leaves
  return leaf && others.length === 0
    ? leaf
    : malformed('There is no grant in this, or several: name the one that is meant.')
}

/**
 * Each path from a root to `leaf`, root first, that fits together by principals, subjects and commands; where there is none, the one that
 * comes closest, so that its check says what is wrong with it.
 *
 * @throws HolderError TooMuchWork
 */
export function findPaths(all: readonly Delegation[], leaf: Delegation, budget: Budget): Delegation[][] {
  /** What leads to the first of a path, and is not on it. */
  const above = (lower: Delegation, path: readonly Delegation[]) => {
    budget.spend(STEP * (all.length + path.length))
    return all.filter((each) => each.aud === lower.iss && !path.includes(each))
  }
  /** Those that end in `path`, whose first is `lower`; `subject` is the one that was named so far. */
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
      lower && !isRoot(lower) && path.length < MAX_CHAIN_LENGTH;
    ) {
      const { sub } = lower
      // Else a root over the same subject, for one whose issuer was given nothing.
      const roots: Delegation[] = all.filter((each) => isRoot(each) && (sub ?? each.sub) === each.sub)
      lower = [...above(lower, path), ...roots].find((each) => !path.includes(each))
      if (lower) path.unshift(lower)
    }
    return path
  }
  const paths = upFrom([leaf], leaf, leaf.sub)
  return paths.length > 0 ? paths : [closest()]
}
