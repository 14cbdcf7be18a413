import type { InspectedToken, KeyVault, StoredToken } from '@keyhole/vault'
import { rootFirst } from '../tokens/report.ts'

/** What a grant that was passed on comes from. */
interface Above {
  /** The link that it narrows. */
  readonly parent: string
  /** When the first of the links above it expires, in seconds; undefined: never. */
  readonly latest: number | undefined
}

/** The links above the last one of a chain. */
function above(tokens: readonly InspectedToken[], leaf: string): Above | undefined {
  const chain = rootFirst(tokens)
  const at = chain.findIndex(({ cid }) => cid === leaf)
  const parent = chain[at - 1]
  if (parent === undefined) return undefined
  const ends = chain
    .slice(0, at)
    .flatMap(({ payload }) => (typeof payload.exp === 'number' ? payload.exp : []))
  return { parent: parent.cid, latest: ends.length === 0 ? undefined : Math.min(...ends) }
}

/** When a grant can be renewed until at most, in seconds: one that was passed on ends with what it comes from. */
export async function latestEnd(
  { tokens }: Pick<KeyVault, 'tokens'>,
  { type, token, cid }: StoredToken,
): Promise<number | undefined> {
  if (type !== 'attenuated') return undefined
  return above((await tokens.inspect(token)).tokens, cid)?.latest
}

/**
 * When a grant ends that lasts as long from `now` on as it did before, or from its start if that is later; undefined: it never ends. In
 * seconds.
 * @param now milliseconds
 */
export function sameLength(
  { notBefore = 0, createdAt, expiresAt }: Pick<StoredToken, 'notBefore' | 'createdAt' | 'expiresAt'>,
  now: number,
): number | undefined {
  if (expiresAt === undefined) return undefined
  // It was stored a moment after its end was chosen.
  const minutes = Math.max(1, Math.round((expiresAt - Math.max(notBefore, createdAt)) / 60_000))
  return Math.floor(Math.max(notBefore, now) / 1000) + minutes * 60
}

/**
 * Signs a grant again, with another end: the same holder, command, limits, start, key and name. What was signed before stays valid until its
 * own end. One that was passed on never ends after what it comes from.
 *
 * @param expiresAt in seconds
 * @throws VaultError as `tokens.grant` and `tokens.narrow`
 */
export async function renew(
  { tokens }: Pick<KeyVault, 'tokens'>,
  { type, token, cid, audienceDid, command, policy, notBefore, keyId, label }: StoredToken,
  expiresAt: number,
): Promise<StoredToken> {
  const same = {
    audience_did: audienceDid,
    command,
    policy: [...policy],
    ...(notBefore !== undefined && { not_before: Math.floor(notBefore / 1000) }),
    ...(keyId !== undefined && { key_id: keyId }),
    ...(label !== undefined && { label }),
  }
  if (type !== 'attenuated') return await tokens.grant({ ...same, expires_at: expiresAt })
  const found = above((await tokens.inspect(token)).tokens, cid)
  return await tokens.narrow({
    ...same,
    parent_token: token,
    ...(found && { leaf: found.parent }),
    expires_at: Math.min(expiresAt, found?.latest ?? expiresAt),
  })
}
