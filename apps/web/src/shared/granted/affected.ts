import type { InspectedToken, StoredToken } from '@keyhole/vault'
import { rootFirst } from '../tokens/report.ts'
import { covers } from '../words/command.ts'

/** What of a vault's tokens is needed to find out. */
interface Reader {
  list(): Promise<StoredToken[]>
  inspect(text: string): Promise<{ readonly tokens: readonly InspectedToken[] }>
}

/** Someone who loses something by a revocation, and which of the revoked grants it comes from. */
export interface Affected<G extends StoredToken = StoredToken> {
  readonly did: string
  readonly loses: readonly G[]
}

/** Whether a stored token may have grown out of another one; only those are opened. */
export function mayContinue(parent: StoredToken, token: StoredToken): boolean {
  if (token.cid === parent.cid || (token.type !== 'attenuated' && token.type !== 'received')) return false
  if (parent.subject !== null && token.subject !== null && parent.subject !== token.subject) return false
  return covers(parent.command, token.command)
}

/**
 * Whom a revocation cuts off, as far as this vault can know: to whom each grant was made, and everyone whose chain, stored
 * here, runs through it. In the order in which they were found, each once.
 *
 * @param onProgress told how many of how many tokens have been looked at
 */
export async function affectedBy<G extends StoredToken>(
  grants: readonly G[],
  tokens: Reader,
  signal: AbortSignal,
  onProgress: (done: number, of: number) => void,
): Promise<Affected<G>[]> {
  const found = new Map<string, Set<G>>()
  const add = (did: string, grant: G) => found.set(did, (found.get(did) ?? new Set<G>()).add(grant))
  const byCid = new Map(grants.map((grant) => [grant.cid, grant]))
  for (const grant of grants) add(grant.audienceDid, grant)
  const candidates = (await tokens.list()).filter((token) =>
    grants.some((grant) => mayContinue(grant, token)),
  )
  for (const [index, { token }] of candidates.entries()) {
    signal.throwIfAborted()
    const above: G[] = []
    for (const { cid, payload } of rootFirst((await tokens.inspect(token)).tokens)) {
      const grant = byCid.get(cid)
      if (grant) above.push(grant)
      if (typeof payload.aud !== 'string') continue
      for (const each of above) add(payload.aud, each)
    }
    onProgress(index + 1, candidates.length)
  }
  return [...found].map(([did, loses]) => ({ did, loses: [...loses] }))
}
