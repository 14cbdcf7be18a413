import type { InspectedToken, KeyVault, StoredToken } from '@keyhole/vault'
import { tokenClient } from '../search-index/token-client.ts'
import { mayContinue } from '../search-index/token-messages.ts'
import { rootFirst } from '../tokens/report.ts'
import { clientVault } from '../vault/vault.ts'

/** What of a vault's tokens is needed to find out. */
interface Reader {
  /** The texts of stored tokens that may have grown out of these. */
  continuing(grants: readonly StoredToken[]): Promise<readonly string[]>
  inspect(text: string): Promise<{ readonly tokens: readonly InspectedToken[] }>
}

/** The tokens of the open account. The search worker of the client's vault says which to look at, so that no one reads all of them. */
export function storedTokens(vault: KeyVault): Reader {
  return {
    continuing: async (grants) => {
      if (vault !== clientVault()) {
        const stored = await vault.tokens.list()
        const some = stored.filter((token) => grants.some((grant) => mayContinue(grant, token)))
        return some.map(({ token }) => token)
      }
      const parents = grants.map(({ cid, command, subject }) => ({ cid, command, subject }))
      return await tokenClient().ask({ ask: 'continuing', parents })
    },
    inspect: (text) => vault.tokens.inspect(text),
  }
}

/** Someone who loses something by a revocation, and which of the revoked grants it comes from. */
export interface Affected<G extends StoredToken = StoredToken> {
  readonly did: string
  readonly loses: readonly G[]
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
  const candidates = await tokens.continuing(grants)
  for (const [index, token] of candidates.entries()) {
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
