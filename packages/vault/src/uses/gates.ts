// The gates that may report, and when the relay was last asked about them.
import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { openMetadata, sealMetadata } from '../storage/sealed-metadata.ts'
import type { StoredToken } from '../tokens/tokens.ts'
import type { Rows } from './rows.ts'

/** A delegation of this command, or one above it, allows a gate to report. */
const REPORT = '/relay/revocations/read/report'
/** Gates that are asked about: more than report to one owner. */
const MOST = 256
/** A gate whose grant is gone is asked about for as long as a relay keeps its report, in milliseconds. */
const KEPT = 90 * 86_400_000
const ROW = 'reporting'

/** Commands that allow a gate to report, the closest first. */
export const REPORTING_COMMANDS: readonly string[] = [
  REPORT,
  ...[...REPORT.matchAll(/\//g)].map(({ index }) => REPORT.slice(0, index) || '/').reverse(),
]

/** What a token says of who may report. */
export type Reporter = Pick<StoredToken, 'type' | 'issuer' | 'audienceDid' | 'command'>

export interface Gate {
  readonly owner: string
  readonly keyId: string
  readonly gate: string
}

const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    askedAt: v.number(),
    gates: v.array(v.object({ owner: v.string(), gate: v.string(), at: v.number() })),
  }),
)
type Stored = v.InferOutput<typeof stored>

/** What is stored of the gates; undefined before the first time. */
export async function readReporting(rows: Rows, enclave: Enclave): Promise<Stored | undefined> {
  const read = v.safeParse(stored, await openMetadata(enclave, await rows.read(ROW)))
  return read.success ? read.output : undefined
}

/**
 * The gates to ask about: those of these tokens, and those that were known before. Notes them, and that they are asked
 * about now. The caller holds the write lock.
 */
export async function gatesToAsk(
  { rows, enclave, address, now }: { rows: Rows; enclave: Enclave; address: string; now: number },
  keys: ReadonlyMap<string, string>,
  tokens: readonly Reporter[],
): Promise<Gate[]> {
  const known = (await readReporting(rows, enclave))?.gates ?? []
  const found = new Map<string, Stored['gates'][number]>()
  const note = (owner: string, gate: string, at: number) => {
    if (keys.has(owner) && !found.has(`${owner} ${gate}`) && found.size < MOST)
      found.set(`${owner} ${gate}`, { owner, gate, at })
  }
  const depth = ({ command }: Reporter) => REPORTING_COMMANDS.indexOf(command)
  const allowed = tokens.filter((token) => token.type === 'origin' && depth(token) >= 0)
  for (const { issuer, audienceDid } of allowed.sort((a, b) => depth(a) - depth(b)))
    note(issuer, audienceDid, now)
  // A time ahead of the clock is as good as now.
  for (const { owner, gate, at } of known) if (now - at < KEPT) note(owner, gate, Math.min(at, now))
  const gates = [...found.values()]
  if (gates.length === 0 && known.length === 0) return []
  const text = JSON.stringify({ askedAt: now, gates } satisfies Stored)
  await rows.write([await sealMetadata(enclave, address, ROW, text, now)])
  return gates.map(({ owner, gate }) => ({ owner, gate, keyId: keys.get(owner) ?? '' }))
}
