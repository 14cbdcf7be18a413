// A gate's report of use, as docs/relay.md ("Reports of use") describes it.
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e12))
const moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8e15))
const text = (longest: number) => v.pipe(v.string(), v.maxLength(longest))

const lastCall = v.object({
  at: moment,
  server: text(100),
  command: text(256),
  name: text(500),
  outcome: text(100),
})
/** A call. What is said of it is the gate's word. Times are in milliseconds since 1970. */
export type LastCall = v.InferOutput<typeof lastCall>

const counted = {
  cid: text(200),
  used: count,
  refused: count,
  last: v.exactOptional(lastCall),
  lastRefused: v.exactOptional(lastCall),
}

/** More grants than a report has room for. */
const MOST_GRANTS = 2_000

/** What a gate sends. `shown` is a call under the grant. */
export const sentReport = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    since: moment,
    at: moment,
    left: count,
    grants: v.pipe(v.array(v.object({ ...counted, shown: text(65_536) })), v.maxLength(MOST_GRANTS)),
  }),
)

/** What is sealed: the gate's signature over the report's text, and the text. */
export const sealedReport = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ signed: text(8_192), report: text(131_072) }),
)

/** What the vault stores of a gate's reports. */
export const storedReport = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    /** DID of the gate. */
    gate: v.string(),
    since: moment,
    at: moment,
    /** Grants that the report had no room for, and grants that it showed no call for. */
    left: count,
    unshown: count,
    grants: v.array(v.object({ ...counted, before: v.object({ used: count, refused: count }) })),
  }),
)
export type StoredReport = v.InferOutput<typeof storedReport>

type Counted = Omit<StoredReport['grants'][number], 'before'>

/** Grants that are stored of one gate: those that were called last. */
const MOST_STORED = 500

/**
 * What a newer report changes. A gate that begins to count anew is added to what it had counted before; a grant that the
 * report has no room for stays as it was.
 */
export function withReport(
  before: StoredReport | undefined,
  { grants, ...report }: Omit<StoredReport, 'grants'> & { readonly grants: readonly Counted[] },
): StoredReport {
  const goesOn = before?.since === report.since
  const known = new Map(before?.grants.map((each) => [each.cid, goesOn ? each : startedAnew(each)]))
  for (const each of grants) {
    const { before: earlier = { used: 0, refused: 0 }, last, lastRefused } = known.get(each.cid) ?? {}
    known.set(each.cid, {
      ...(last && { last }),
      ...(lastRefused && { lastRefused }),
      ...each,
      before: earlier,
    })
  }
  const latest = [...known.values()].sort((a, b) => lastAt(b) - lastAt(a))
  return { ...report, grants: latest.slice(0, MOST_STORED) }
}

function startedAnew(each: StoredReport['grants'][number]): StoredReport['grants'][number] {
  const { used, refused, before } = each
  return {
    ...each,
    ...{ used: 0, refused: 0 },
    before: { used: before.used + used, refused: before.refused + refused },
  }
}

const lastAt = ({ last, lastRefused }: Counted) => Math.max(last?.at ?? 0, lastRefused?.at ?? 0)
