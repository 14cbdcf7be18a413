import type { KeyVault } from '@keyhole/vault'
import { tokenClient } from '../../shared/search-index/token-client.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'

/** Grants read at a time. */
const BATCH = 100

/** Every active grant to one of these DIDs. @param now in milliseconds */
async function activeGrants(dids: readonly string[], now: number): Promise<ListedToken[]> {
  const found = new Map<string, ListedToken>()
  for (let offset = 0, total = 1; offset < total; offset += BATCH) {
    const query = { list: 'given', live: true, people: dids, limit: BATCH, offset } as const
    const page = await tokenClient().ask({ ask: 'page', query, now })
    total = page.total
    for (const token of page.tokens) found.set(token.id, token)
  }
  return [...found.values()]
}

/**
 * Revokes every active grant to one of these DIDs. One that fails does not hold up the others.
 *
 * @param now in milliseconds
 * @param onProgress how many were tried, of how many
 * @returns how many were revoked
 * @throws what the first failed with, once all have been tried
 */
export async function revokeAll(
  { tokens }: Pick<KeyVault, 'tokens'>,
  dids: readonly string[],
  now: number,
  onProgress: (done: number, of: number) => void,
): Promise<number> {
  const failures: unknown[] = []
  const grants = await activeGrants(dids, now)
  for (const [index, { cid, token, label }] of grants.entries()) {
    onProgress(index, grants.length)
    if (cid === undefined) continue
    try {
      await tokens.revoke({ cid, token, ...(label !== undefined && { label }) })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return grants.length
}
