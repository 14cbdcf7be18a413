import { createHash } from 'node:crypto'
import type { Holder } from '@keyhole/holder'
import { sealTo } from '@keyhole/holder/seal'
import { lastAt, type Uses } from './use.ts'

/** Longest report before it is sealed, in characters of JSON. */
const LONGEST = 92_000
/** How long a report can be checked, in seconds: ten years, as receipts. */
const LIFETIME = 315_360_000
/** The command by which a gate signs a report. */
export const SIGN = '/uses/report'

export interface Report {
  readonly text: string
  /** Without its time: the same as long as nothing was called. */
  readonly content: string
}

/** What is reported to an owner, as JSON. The grants that were called last come first; `left` is how many don't fit. */
export function reportOf({ since, at, owners }: Uses, owner: string): Report | undefined {
  const uses = owners.get(owner)
  if (!uses || uses.grants.size === 0) return undefined
  const latest = [...uses.grants].sort(([, a], [, b]) => lastAt(b) - lastAt(a))
  const grants: object[] = []
  let length = 0
  for (const [cid, each] of latest) {
    const entry = { cid, ...each }
    const more = JSON.stringify(entry).length
    if (length + more > LONGEST) continue
    length += more
    grants.push(entry)
  }
  const left = uses.left + latest.length - grants.length
  return { text: JSON.stringify({ since, at, grants, left }), content: JSON.stringify({ grants, left }) }
}

/** Signs a report by the gate, and seals it to the owner's key. */
export async function sealReport(
  report: string,
  { holder, gate, owner, key }: { holder: Holder; gate: string; owner: string; key: Uint8Array<ArrayBuffer> },
): Promise<Uint8Array> {
  const digest = createHash('sha256').update(report).digest('base64url')
  const options = { subject: gate, audience: owner, expiresIn: LIFETIME }
  const { token } = await holder.invoke(SIGN, { report: digest }, options)
  const text = new TextEncoder().encode(JSON.stringify({ signed: token, report }))
  return await sealTo(key, text, new TextEncoder().encode(`keyhole report 1\0${owner}`))
}
