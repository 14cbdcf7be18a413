import { Dexie, type DexieOptions, type EntityTable } from 'dexie'
import * as v from 'valibot'
import { DATABASE_PREFIX } from './places.ts'

export const SCHEMA_VERSION = 1
/** Records changed at a time when a query modifies or deletes them. */
export const MODIFY_CHUNK_SIZE = 200
/** The state store has one record, under this id. */
export const STATE_ID = 'current'

/** Where the mirror is kept, the state store also says under this id how far its journal must be. */
export const MARK_ID = 'journal'

/** While the mirror may hold the state that a restored one took the place of, the state store has a record under this id. */
export const RESTORED_ID = 'restored'

/**
 * While a new account is filled, before it has a state, the state store has a record under this id: written before the first record of it,
 * and gone with the write of the state. So what a killed tab leaves is known for what it is.
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
  /** The sealed state, as the enclave gave it. */
  enclave: id,
  lastAccessed: time,
  createdAt: time,
  /**
   * The state came from the second copy, which may be behind what was signed since: the next unlock suspends the mandates.
   * It goes with the state, in the transaction that writes a later one.
   */
  behind: v.optional(v.boolean()),
})
export type StateRecord = v.InferOutput<typeof stateRecord>

/**
 * Which journal belongs to this database, and the number of the last change: written in the transaction of every
 * change, so that of the two it is known which one is ahead.
 */
export const journalMark = v.looseObject({
  id: v.literal(MARK_ID),
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
  /** Of an invocation: the CID of what is to be done. Of a receipt: of what was done. */
  task: v.optional(v.string()),
  /** Of a revocation: the CID of the delegation that holds no more. */
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
  /** CID of what the app was granted. */
  cid: v.optional(v.string()),
  /** The key that signed it. */
  keyId: v.optional(v.string()),
  /** Who asked, and what for. */
  sealed: v.optional(v.string()),
})
export type SessionRecord = v.InferOutput<typeof sessionRecord>

/** Personal metadata: `sealed` is what the enclave made of the value. */
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

/** Strict durability: a save that has resolved has reached the disk, and survives a killed tab. */
export function databaseOptions(): DexieOptions {
  const { indexedDB, IDBKeyRange } = globalThis
  return {
    modifyChunkSize: MODIFY_CHUNK_SIZE,
    chromeTransactionDurability: 'strict',
    // Dexie would keep what it found when it was imported, which may have been before IndexedDB was there.
    ...(indexedDB && { indexedDB, IDBKeyRange }),
  }
}

/** An account's database with its stores, still to be opened. */
export function openable(address: string): AccountDatabase {
  const db = new Dexie(DATABASE_PREFIX + address, databaseOptions()) as AccountDatabase
  db.version(SCHEMA_VERSION).stores(STORES)
  return db
}

/** An account's database as it is stored. Without a schema Dexie opens what is there, and makes nothing of what is not. */
export function existing(address: string): Dexie {
  const db = new Dexie(DATABASE_PREFIX + address, databaseOptions())
  db.on('versionchange', () => {
    db.close()
    return false
  })
  return db
}
