import type { KeyVault } from '@keyhole/vault'
import { tokenClient } from '../search-index/token-client.ts'
import type { ListedToken } from '../tokens/use-tokens.ts'

/** Grants read at a time. */
const BATCH = 100

/** Every active grant to one of these DIDs. @param now in milliseconds */
export async function activeGrants(dids: readonly string[], now: number): Promise<ListedToken[]> {
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
 * Revokes grants. One that fails does not hold up the others.
 *
 * @param onTried told after each: its CID where it is revoked now, and how many were tried
 * @throws what the first failed with, once all have been tried
 */
export async function revokeAll(
  { tokens }: Pick<KeyVault, 'tokens'>,
  grants: readonly Pick<ListedToken, 'cid' | 'token' | 'label'>[],
  onTried: (revoked: string | undefined, tried: number) => void,
): Promise<void> {
  const failures: unknown[] = []
  for (const [index, { cid, token, label }] of grants.entries()) {
    try {
      await tokens.revoke({ cid, token, ...(label !== undefined && { label }) })
      onTried(cid, index + 1)
    } catch (error) {
      failures.push(error)
      onTried(undefined, index + 1)
    }
  }
  if (failures.length > 0) throw failures[0]
}
