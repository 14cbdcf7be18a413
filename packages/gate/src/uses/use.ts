// What a gate remembers of the calls under a grant (docs/relay.md, "Reports of use").

/** A call. */
export interface LastCall {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The server's or service's name. */
  readonly server: string
  readonly command: string
  /** The tool's or prompt's name, the resource's URI, or the path. Empty if the call was refused before it was read. */
  readonly name: string
  /** `ok`, `error` if the server said so, or why it was refused. */
  readonly outcome: string
}

/** All calls under one grant of an owner. */
export interface GrantUses {
  /** Calls that were carried out, or may have been. */
  readonly used: number
  readonly refused: number
  readonly last?: LastCall | undefined
  readonly lastRefused?: LastCall | undefined
  /** A call that was made under it, as signed by its caller: it shows that this gate was asked. */
  readonly shown: string
}

/** The uses of an owner's grants. */
export interface OwnerUses {
  readonly grants: ReadonlyMap<string, GrantUses>
  /** Grants that are no longer counted, because there were too many. */
  readonly left: number
}

/** Everything that a gate counted. */
export interface Uses {
  /** When it began to count, in milliseconds since 1970. */
  readonly since: number
  /** When the last call was added. Rises with each addition. */
  readonly at: number
  readonly owners: ReadonlyMap<string, OwnerUses>
}

/** Grants that are counted for an owner: those that were used last. */
const MOST_GRANTS = 300

/** Two counts of the same grant. The shorter of the calls shown is enough. */
export function sumOf(one: GrantUses | undefined, other: GrantUses): GrantUses {
  if (!one) return other
  return {
    used: one.used + other.used,
    refused: one.refused + other.refused,
    last: later(one.last, other.last),
    lastRefused: later(one.lastRefused, other.lastRefused),
    shown: other.shown.length < one.shown.length ? other.shown : one.shown,
  }
}

function later(one: LastCall | undefined, other: LastCall | undefined): LastCall | undefined {
  return one && (!other || one.at > other.at) ? one : other
}

/** When something was last called under a grant. */
export function lastAt({ last, lastRefused }: GrantUses): number {
  return Math.max(last?.at ?? 0, lastRefused?.at ?? 0)
}

/** Adds what was counted since. */
export function addUses(uses: Uses, added: Uses['owners'], now: number): Uses {
  const owners = new Map(uses.owners)
  for (const [owner, { grants }] of added) {
    const known = owners.get(owner)
    const sums = new Map(known?.grants)
    for (const [cid, each] of grants) sums.set(cid, sumOf(sums.get(cid), each))
    const latest = [...sums].sort(([, a], [, b]) => lastAt(b) - lastAt(a))
    const left = (known?.left ?? 0) + Math.max(latest.length - MOST_GRANTS, 0)
    owners.set(owner, { grants: new Map(latest.slice(0, MOST_GRANTS)), left })
  }
  // A vault takes only what is newer, so this rises even if the clock was set back.
  return { since: uses.since, at: Math.max(now, uses.at + 1), owners }
}
