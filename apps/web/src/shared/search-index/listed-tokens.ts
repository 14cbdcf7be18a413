import type { TokenSource } from '@keyhole/vault/token-reader'
import type { Row, TokenIndex } from './token-index.ts'
import type { FoundToken, ListedToken } from './token-messages.ts'

/** A row of an index, as search shows it. */
export function foundToken(index: TokenIndex, row: Row): FoundToken {
  const { people, commands } = index
  const { id, type, cid, createdAt, notBefore, expiresAt, label, revokes } = row
  return {
    ...{ id, type, cid, createdAt },
    issuer: people.text(row.issuer),
    audience: people.text(row.audience),
    audienceDid: people.text(row.audienceDid),
    subject: row.subject < 0 ? null : people.text(row.subject),
    command: commands.text(row.command),
    policy: index.policy(row),
    revoked: index.isRevoked(cid),
    revokedAbove: index.isRevokedAbove(row),
    ...(notBefore !== undefined && { notBefore }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(label !== undefined && { label }),
    ...(revokes !== undefined && { revokes }),
  }
}

/** The full tokens of these rows, without those that are gone by now. */
export async function listedTokens(
  index: TokenIndex,
  reader: TokenSource,
  rows: readonly Row[],
): Promise<ListedToken[]> {
  if (rows.length === 0) return []
  const records = new Map((await reader.read(rows.map(({ id }) => id))).map((record) => [record.id, record]))
  return rows.flatMap((row) => {
    const record = records.get(row.id)
    if (!record) return []
    const { token, keyId, task } = record
    return {
      ...foundToken(index, row),
      token,
      ...(keyId !== undefined && { keyId }),
      ...(task !== undefined && { task }),
    }
  })
}
