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

/** How long what has ended is kept after its end, in milliseconds: 90 days. */
export const ENDED_RETENTION = 90 * 86_400_000

/** The metadata of what has ended: this, the store's name, and the record's id. */
export const ENDED_PREFIX = 'ended:'

/** What is kept after its end: grants given and received. Requests, revocations and receipts are not needed any more, or are kept elsewhere. */
const RETAINED_TYPES: ReadonlySet<TokenType> = new Set<TokenType>(['origin', 'attenuated', 'received'])

/** Nothing in it is personal but the label, which is sealed as it was. */
const NOTHING_SEALED = '-'

/**
 * A token or session whose time is up, whole, as its store had it. Its `updatedAt` is when it ended, so that what a wrong
 * clock has put away is found by the index.
 */
const endedRecord = v.variant('store', [
  v.looseObject({ ...metadataRecord.entries, store: v.literal('tokens'), record: tokenRecord }),
  v.looseObject({ ...metadataRecord.entries, store: v.literal('sessions'), record: sessionRecord }),
])
export type EndedRecord = v.InferOutput<typeof endedRecord>

/** Parses metadata as what has ended; undefined for any other. */
export function parseEnded(record: unknown): EndedRecord | undefined {
  const parsed = v.safeParse(endedRecord, record)
  return parsed.success && parsed.output.key.startsWith(ENDED_PREFIX) ? parsed.output : undefined
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

/** What a clean-up would do at a moment. */
export interface Expiry {
  /** Tokens and sessions whose time is up. */
  readonly tokens: readonly TokenRecord[]
  readonly sessions: readonly SessionRecord[]
  /** Those kept after their end for as long as they are kept. */
  readonly forgotten: readonly EndedRecord[]
}

/** How many records a clean-up takes from where they are. */
export function sizeOf({ tokens, sessions, forgotten }: Expiry): number {
  return tokens.length + sessions.length + forgotten.length
}

/** What the log says of a clean-up. */
export function aboutExpiry({ tokens, sessions, forgotten }: Expiry): ActivityAbout {
  const gone = forgotten.find((each) => each.store === 'tokens')
  return {
    ...(tokens.length > 0 && { tokens: tokens.length }),
    ...(sessions.length > 0 && { sessions: sessions.length }),
    ...(forgotten.length > 0 && { forgotten: forgotten.length }),
    // One that goes for good is named: the log is what is left of it.
    ...(forgotten.length === 1 && gone?.record.cid !== undefined && { cid: gone.record.cid }),
  }
}
