// Chooses the grant for a call: the narrowest that covers it, so that the holder never uses more authority than the
// call needs.
import { type Clock, checkCovers, checkSubject, checkTime } from '../chain/path.ts'
import { fromValue } from '../codec/dag-json.ts'
import type { Value } from '../codec/value.ts'
import { Budget, MAX_WORK } from '../codec/work-budget.ts'
import { attempt, HolderError, refuse } from '../errors.ts'
import { type HeldGrant, isHeld } from './grant.ts'

/** What a grant must cover. Omitted fields match anything. */
export interface Wanted {
  readonly subject?: string | undefined
  readonly command?: string | undefined
  readonly args?: Value | undefined
  /** The CID of a specific grant. */
  readonly grant?: string | undefined
}

/** Minimum work per grant, however many there are. */
const LEAST_SHARE = 1_000_000
/** Orders refusals by how close the grant came, last is closest. */
const NEARNESS = ['InvalidSubject', 'InvalidCommand', 'Expired', 'TooEarly', 'MatchError', 'TooMuchWork']

/**
 * The narrowest grant that covers what is wanted: the longest command, then the most limits, then the earliest expiry,
 * then the shortest chain, then the lowest CID.
 * @throws HolderError NoGrant if none is about the subject; otherwise what the closest one breaks, with all of them in
 *   `refusals`
 */
export function chooseGrant(grants: readonly HeldGrant[], wanted: Wanted, clock: Clock): HeldGrant {
  const meant = grants.filter(({ cid }) => (wanted.grant ?? cid) === cid)
  // Each grant has a separate share, so an expensive one only rules out itself.
  const share = Math.max(MAX_WORK / meant.length, LEAST_SHARE)
  const judged = meant.map(
    (grant) => attempt(() => checkGrant(grant, wanted, clock, new Budget(share))) ?? grant,
  )
  const fitting = judged.filter(isHeld)
  const refusals = judged.filter((each) => each instanceof HolderError)
  const [narrowest] = fitting.sort(byWidth)
  if (narrowest) return narrowest
  refusals.sort((a, b) => NEARNESS.indexOf(b.code) - NEARNESS.indexOf(a.code))
  const [closest] = refusals
  if (!closest || closest.code === 'InvalidSubject')
    return refuse('NoGrant', 'No grant here covers this. Ask the owner for one.', { refusals })
  const { cid, statement } = closest
  return refuse(closest.code, closest.message, { cid, statement, refusals })
}

function checkGrant({ cid, path, effective }: HeldGrant, wanted: Wanted, clock: Clock, budget: Budget): void {
  const { subject, command, args } = wanted
  checkSubject(effective.subject, subject, cid)
  if (command !== undefined) checkCovers(effective.command, command, cid)
  for (const delegation of path) checkTime(delegation, clock)
  if (args !== undefined) checkPolicies(path, args, budget)
}

/** Checks every policy along a path. @throws HolderError MatchError with the first statement that fails; TooMuchWork */
export function checkPolicies(path: HeldGrant['path'], args: Value, budget: Budget): void {
  for (const { cid, iss, pol } of path) {
    const broken = pol.source[pol.firstBroken(args, budget)]
    if (broken === undefined) continue
    const statement = fromValue(broken)
    refuse('MatchError', `${iss} does not allow this: ${shown(statement)} does not hold.`, { cid, statement })
  }
}

/** A statement for a message, in visible characters; a long one is cut. */
function shown(statement: unknown): string {
  const text = JSON.stringify(statement, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  return text.slice(0, 200).replace(/[^ -~]/g, (letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`)
}

function byWidth(a: HeldGrant, b: HeldGrant): number {
  const depth = ({ effective: { command } }: HeldGrant) => command.split('/').filter(Boolean).length
  const ends = ({ effective: { expiresAt } }: HeldGrant) => expiresAt ?? Number.MAX_VALUE
  return (
    depth(b) - depth(a) ||
    b.effective.policy.length - a.effective.policy.length ||
    ends(a) - ends(b) ||
    a.path.length - b.path.length ||
    (a.cid < b.cid ? -1 : 1)
  )
}
