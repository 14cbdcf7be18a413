import type { Holder } from '@keyhole/holder'
import type { Entry } from './read-log.ts'

/** How long a receipt can be checked, in seconds: ten years. */
const LIFETIME = 315_360_000

/** Signs a receipt for a call: that the gate carried it out, or why not and how many such calls it refused. @param holder of the gate's own key */
export async function signReceipt(
  holder: Holder,
  gate: string,
  { task, call, subject, outcome, count }: Entry,
): Promise<string> {
  const out =
    outcome === 'ok' ? { ok: {} } : { error: { code: outcome, ...(count !== undefined && { count }) } }
  const args = { about: { '/': task ?? call }, facts: { out, run: [] } }
  const options = { subject: gate, audience: subject, expiresIn: LIFETIME }
  return (await holder.invoke('/ucan/assert', args, options)).token
}
