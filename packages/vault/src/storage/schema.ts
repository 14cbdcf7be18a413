import { Dexie, type DexieOptions, type EntityTable } from 'dexie'
import * as v from 'valibot'
import { DATABASE_PREFIX } from './storage-names.ts'

export const SCHEMA_VERSION = 1
/** Records changed at a time when a query modifies or deletes them. */
export const MODIFY_CHUNK_SIZE = 200
/** The state store has one record, under this id. */
export const STATE_ID = 'current'

/** With a mirror, the record under this id in the state store says how far the journal must be. */
export const MARK_ID = 'journal'

/**
 * This record takes the mark's place while the journal has tokens that the database lacks. An older version of Keyhole
 * finds no mark then, and takes everything in from the journal itself. 087
 */
export const FOLLOWING_ID = 'following'

/** Meanwhile, a record under this prefix and a token's id says that the token was deleted. */
export const GONE_PREFIX = 'gone:'

/**
 * A record with this id exists in the state store while the mirror may still have the state that a restored one
 * replaced.
 */
export const RESTORED_ID = 'restored'

/**
 * A record with this id exists in the state store while a new account is filled: it is written first, and removed when
 * the state is written. So the leftovers of a killed tab can be recognized.
 */
export const UNFINISHED_ID = 'unfinished'

/** The four stores and their indexes; the first of each is its primary key. */
export const STORES = {
  state: 'id, accountAddress, lastAccessed',
  tokens: 'id, type, issuer, audience, expiresAt, createdAt',
  sessions: 'id, accountAddress, expiresAt, createdAt',
  metadata: 'id, accountAddress, key, updatedAt',
} as const

export type StoreName = keyof typeof STORES

/** Milliseconds since 1970. */
const time = v.pipe(v.number(), v.finite())
const id = v.pipe(v.string(), v.nonEmpty())

export const stateRecord = v.looseObject({
  id: v.literal(STATE_ID),
  accountAddress: id,
  isInitialized: v.boolean(),
  /** The sealed state, from the enclave. */
  enclave: id,
  lastAccessed: time,
  createdAt: time,
  /**
   * The state came from the second copy, which may be behind what was signed since: the next unlock suspends the
   * mandates. Removed in the transaction that writes a later state.
   */
  behind: v.optional(v.boolean()),
})
export type StateRecord = v.InferOutput<typeof stateRecord>

/**
 * Which journal belongs to this database, and the number of the last change. Written in every change's transaction, to
 * know which of the two is ahead.
 */
export const journalMark = v.looseObject({
  id: v.picklist([MARK_ID, FOLLOWING_ID]),
  journal: v.pipe(v.string(), v.regex(/^[0-9a-z]{1,64}$/)),
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
export type JournalMark = v.InferOutput<typeof journalMark>

/** Times are in milliseconds. The fields after `createdAt` are not indexed. */
export const tokenRecord = v.looseObject({
  id,
  token: id,
  type: v.picklist(['origin', 'attenuated', 'received', 'invocation', 'revocation', 'receipt']),
  issuer: v.string(),
  audience: v.string(),
  expiresAt: v.optional(time),
  createdAt: time,
  cid: v.optional(v.string()),
  command: v.optional(v.string()),
  policy: v.optional(v.array(v.unknown())),
  subject: v.optional(v.nullable(v.string())),
  audienceDid: v.optional(v.string()),
  notBefore: v.optional(time),
  keyId: v.optional(v.string()),
  sealedLabel: v.optional(v.string()),
  /** For an invocation: the CID of its task. For a receipt: the CID of the task it is about. */
  task: v.optional(v.string()),
  /** For a revocation: the CID of the revoked delegation. */
  revokes: v.optional(v.string()),
})
export type TokenRecord = v.InferOutput<typeof tokenRecord>
export type TokenType = TokenRecord['type']

/** The fields after `createdAt` are not indexed. */
export const sessionRecord = v.looseObject({
  id,
  accountAddress: id,
  expiresAt: time,
  createdAt: time,
  /** CID of the app's grant. */
  cid: v.optional(v.string()),
  /** The key that signed it. */
  keyId: v.optional(v.string()),
  /** Who asked, and why. */
  sealed: v.optional(v.string()),
})
export type SessionRecord = v.InferOutput<typeof sessionRecord>

/** Personal metadata: `sealed` is the sealed value. */
export const metadataRecord = v.looseObject({
  id,
  accountAddress: id,
  key: id,
  updatedAt: time,
  sealed: id,
})
export type MetadataRecord = v.InferOutput<typeof metadataRecord>

/** An account's database, as Dexie sees it. */
export type AccountDatabase = Dexie & {
  state: EntityTable<StateRecord, 'id'>
  tokens: EntityTable<TokenRecord, 'id'>
  sessions: EntityTable<SessionRecord, 'id'>
  metadata: EntityTable<MetadataRecord, 'id'>
}

/** Strict durability: once a save resolves, it has reached the disk and survives a killed tab. */
export function databaseOptions(): DexieOptions {
  const { indexedDB, IDBKeyRange } = globalThis
  return {
    modifyChunkSize: MODIFY_CHUNK_SIZE,
    chromeTransactionDurability: 'strict',
    // Dexie uses what existed when it was imported, which may have been before IndexedDB was installed.
    ...(indexedDB && { indexedDB, IDBKeyRange }),
  }
}

/** An account's database with its stores, not opened yet. */
export function openable(address: string): AccountDatabase {
  const db = new Dexie(DATABASE_PREFIX + address, databaseOptions()) as AccountDatabase
  db.version(SCHEMA_VERSION).stores(STORES)
  return db
}

/** An account's existing database. Without a schema, Dexie opens what is there, and doesn't create what isn't. */
export function existing(address: string): Dexie {
  const db = new Dexie(DATABASE_PREFIX + address, databaseOptions())
  db.on('versionchange', () => {
    db.close()
    return false
  })
  return db
}
