import * as v from 'valibot'
import type { ActivityAbout } from '../base/act.ts'
import {
  type MetadataRecord,
  metadataRecord,
  type SessionRecord,
  sessionRecord,
  type TokenRecord,
  type TokenType,
  tokenRecord,
} from './schema.ts'

/** How long data is kept after it ends, in milliseconds: 90 days. */
export const ENDED_RETENTION = 90 * 86_400_000

/** Ended data is metadata with this prefix, the store's name, and the record's id. */
export const ENDED_PREFIX = 'ended:'

/**
 * Grants given and received are kept after they end. Requests aren't needed any more; revocations and receipts are kept
 * elsewhere.
 */
const RETAINED_TYPES: ReadonlySet<TokenType> = new Set<TokenType>(['origin', 'attenuated', 'received'])

/** Only the label is personal, and that is already sealed. */
const NOTHING_SEALED = '-'

/**
 * An expired token or session, complete. Its `updatedAt` is when it ended, so that the index finds what a wrong clock
 * removed.
 */
const endedRecord = v.variant('store', [
  v.looseObject({ ...metadataRecord.entries, store: v.literal('tokens'), record: tokenRecord }),
  v.looseObject({ ...metadataRecord.entries, store: v.literal('sessions'), record: sessionRecord }),
])
export type EndedRecord = v.InferOutput<typeof endedRecord>

/** Parses metadata of ended data; undefined for any other. */
export function parseEnded(record: unknown): EndedRecord | undefined {
  const parsed = v.safeParse(endedRecord, record)
  return parsed.success && parsed.output.key.startsWith(ENDED_PREFIX) ? parsed.output : undefined
}

/** The tokens among metadata of ended data, last to expire first. */
export function endedTokensOf(records: readonly unknown[]): TokenRecord[] {
  return records
    .map(parseEnded)
    .flatMap((each) => (each?.store === 'tokens' ? [each.record] : []))
    .sort((one, other) => (other.expiresAt ?? 0) - (one.expiresAt ?? 0))
}

export function endedToken(accountAddress: string, record: TokenRecord): MetadataRecord | undefined {
  return RETAINED_TYPES.has(record.type) ? ended(accountAddress, 'tokens', record) : undefined
}

export function endedSession(accountAddress: string, record: SessionRecord): MetadataRecord {
  return ended(accountAddress, 'sessions', record)
}

function ended(
  accountAddress: string,
  store: 'tokens' | 'sessions',
  record: TokenRecord | SessionRecord,
): MetadataRecord {
  const key = `${ENDED_PREFIX}${store}:${record.id}`
  const updatedAt = record.expiresAt ?? 0
  return { id: key, accountAddress, key, updatedAt, sealed: NOTHING_SEALED, store, record }
}

/** What a clean-up would do. */
export interface Expiry {
  /** Expired tokens and sessions. */
  readonly tokens: readonly TokenRecord[]
  readonly sessions: readonly SessionRecord[]
  /** Ended data that has been kept long enough. */
  readonly forgotten: readonly EndedRecord[]
}

/** How many records a clean-up moves or deletes. */
export function sizeOf({ tokens, sessions, forgotten }: Expiry): number {
  return tokens.length + sessions.length + forgotten.length
}

/** What the log says about a clean-up. */
export function aboutExpiry({ tokens, sessions, forgotten }: Expiry): ActivityAbout {
  const gone = forgotten.find((each) => each.store === 'tokens')
  return {
    ...(tokens.length > 0 && { tokens: tokens.length }),
    ...(sessions.length > 0 && { sessions: sessions.length }),
    ...(forgotten.length > 0 && { forgotten: forgotten.length }),
    // A single deleted token is named, because only the log remains of it.
    ...(forgotten.length === 1 && gone?.record.cid !== undefined && { cid: gone.record.cid }),
  }
}
