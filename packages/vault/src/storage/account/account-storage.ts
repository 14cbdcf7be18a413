import * as v from 'valibot'
import { refused } from '../../base/errors.ts'
import { isResealed, revisionOf } from '../../enclave/revision.ts'
import { DEVICE_LINK, markOf, nameMark } from '../devices/device-marks.ts'
import {
  ENDED_PREFIX,
  ENDED_RETENTION,
  type EndedRecord,
  type Expiry,
  endedSession,
  endedToken,
  parseEnded,
} from '../expiry.ts'
import type { JournaledStore } from '../journal/journal-lines.ts'
import { JournaledRecords } from '../journal/journaled-records.ts'
import { type MirrorHealth, type MirrorReport, MirrorWriter } from '../mirror/mirror-writer.ts'
import { UnfollowedTokens } from '../mirror/unfollowed-tokens.ts'
import {
  type AccountDatabase,
  FOLLOWING_ID,
  type MetadataRecord,
  metadataRecord,
  openable,
  RESTORED_ID,
  type SessionRecord,
  STATE_ID,
  type StateRecord,
  type StoreName,
  sessionRecord,
  stateRecord,
  type TokenRecord,
  tokenRecord,
  UNFINISHED_ID,
} from '../schema.ts'
import { toStorageError } from '../storage-error.ts'
import { withWriteLock } from '../write-lock.ts'
import { hasNoMoreThanMark, isEmpty, parseState, refuseNewerSchema } from './account-databases.ts'
import {
  Changes,
  type FoundRecords,
  type RecordIds,
  type StateBatch,
  type StateOrigin,
} from './state-batch.ts'

/** A stored record that doesn't parse. It stays in the database and is skipped when reading. */
export interface UnreadableRecord {
  readonly store: StoreName
  readonly id: string
  readonly reason: string
}

/** Events while a database is open. */
export interface StorageListener {
  /** Called for each unreadable record, once while the database is open. */
  unreadable?(record: UnreadableRecord): void
  /** Another tab is deleting this database (`deleted`) or upgrading it, so this connection was closed. */
  released?(why: 'deleted' | 'upgraded'): void
  /** The database and its mirror differed, and are back in sync. */
  reconciled?(report: MirrorReport): void
}

/** States that were set aside: replaced by a reset, or unreadable when the account was restored. */
const REPLACED = 'replaced-'
const UNREADABLE = 'unreadable-'
const SET_ASIDE = [REPLACED, UNREADABLE]

/** Records of each kind per clean-up transaction. */
const EXPIRED_AT_ONCE = 2_000

/** Tokens of one issuer that are looked through for a received one whose end was stored differently. */
const MOST_OF_OTHER_ENDS = 2_000

/** An index of the tokens, and a value in it. */
type IndexedValue = readonly [index: string, value: string | number]

/** Records per page when there may be many. */
const PAGE = 200

/** The open storage of an account: its database or, in memory and read-only, its second copy. */
export type OpenStorage = Pick<AccountStorage, Exclude<keyof AccountStorage, 'isCopy' | 'records'>> & {
  readonly isCopy: boolean
}

/** One account's open database. Every failure is a `VaultError` and leaves what was stored unchanged. */
export class AccountStorage {
  readonly isCopy: boolean = false
  readonly address: string
  readonly #db: AccountDatabase
  readonly #listener: StorageListener
  readonly #records: JournaledRecords
  readonly #mirror: MirrorWriter
  readonly #reported = new Set<string>()
  /** The tokens that the database may lack, while it follows the journal. */
  readonly #rest: UnfollowedTokens

  private constructor(address: string, db: AccountDatabase, listener: StorageListener) {
    this.address = address
    this.#db = db
    this.#listener = listener
    this.#records = new JournaledRecords(db)
    this.#rest = new UnfollowedTokens(address, db.table('state'))
    this.#mirror = new MirrorWriter(
      address,
      this.#records,
      () => this.readState(),
      (report) => listener.reconciled?.(report),
    )
  }

  /**
   * Opens an account's database, creating it if necessary.
   * @throws VaultError OPERATION_FAILED: 'Account address is required', no IndexedDB here, a newer version of the
   *   schema, or an older tab in the way.
   */
  static async open(address: string, listener: StorageListener = {}): Promise<AccountStorage> {
    if (address.trim() === '') throw refused('AddressRequired')
    const db = openable(address)
    let storage: AccountStorage | undefined
    db.on('versionchange', (event) => {
      db.close()
      storage?.close()
      listener.released?.(event.newVersion === null ? 'deleted' : 'upgraded')
      return false
    })
    try {
      await refuseNewerSchema(address)
      await new Promise<void>((resolve, reject) => {
        db.on('blocked', () => {
          reject(refused('OlderTab'))
          return false
        })
        db.open().then(() => resolve(), reject)
      })
    } catch (error) {
      db.close()
      throw toStorageError(error, 'opening the account')
    }
    storage = new AccountStorage(address, db, listener)
    return storage
  }

  close(): void {
    this.#mirror.close()
    this.#db.close()
  }

  /**
   * Keeps a second copy outside IndexedDB from now on, and syncs the two in the background. Does nothing if the browser
   * has no place for it.
   * @param restored whether the state was just restored: then it overrides the copy's, whatever its revision
   * @returns resolves, and never rejects, once the copy has the state, and the database has what only the copy had
   */
  async startMirror({ restored = false } = {}): Promise<void> {
    await this.#mirror.start(restored)
  }

  /** Resolves once the second copy is in sync, or is known not to be. */
  async mirrored(): Promise<void> {
    await this.#mirror.settled()
  }

  /** Rewrites the second copy completely. Never fails: `mirrorHealth` reports the result. */
  async renewMirror(): Promise<void> {
    await this.#mirror.renew()
  }

  /** Whether the second copy is complete. */
  async mirrorHealth(): Promise<MirrorHealth> {
    return await this.#mirror.health()
  }

  /** The records, for the mirror. */
  get records(): JournaledRecords {
    return this.#records
  }

  /** The state record, if any. One that doesn't parse is an error, because there is no other to fall back to. */
  async readState(): Promise<StateRecord | undefined> {
    return this.#run('reading the account', async () => {
      const found: unknown = await this.#db.state.get(STATE_ID)
      return found === undefined ? undefined : parseState(found)
    })
  }

  /**
   * Writes the sealed state and the batch in one transaction, all or nothing. A higher stored revision wins.
   * @throws VaultError OPERATION_FAILED with `details.conflict` if the stored revision is higher, with `details.quota`
   *   if the disk is full.
   */
  async writeState(
    enclave: string,
    now: number,
    batch: StateBatch = {},
    { createdAt = now, restored = false, behind = false, replaces = false, follows }: StateOrigin = {},
  ): Promise<void> {
    const revision = revisionOf(enclave)
    if (revision === undefined) {
      throw refused('StateWithoutRevision')
    }
    const write = async (changes: Changes) => {
      const found: unknown = await this.#db.state.get(STATE_ID)
      const before = found === undefined ? undefined : parseState(found)
      const stored = before === undefined ? -1 : (revisionOf(before.enclave) ?? -1)
      // Two different states with the same revision: each has a change the other lacks.
      if (stored > revision || (stored === revision && before?.enclave !== enclave)) {
        throw refused('ChangedElsewhere', {}, { details: { conflict: true } })
      }
      const { behind: wasBehind = false, ...unchanged } = before ?? {}
      const state: StateRecord = {
        ...unchanged,
        ...((behind || (wasBehind && stored === revision)) && { behind: true }),
        id: STATE_ID,
        accountAddress: this.address,
        isInitialized: true,
        enclave,
        lastAccessed: now,
        createdAt: before?.createdAt ?? createdAt,
      }
      changes.state = state
      // What earlier methods open doesn't outlive them, here or in the mirror.
      const isLater = before && !replaces && isResealed(before.enclave, enclave)
      await Promise.all([
        this.#db.state.put(state),
        isLater && this.#db.table('state').where(':id').startsWithAnyOf(SET_ASIDE).delete(),
        replaces && before ? this.#db.table('state').put({ ...before, id: `${REPLACED}${now}` }) : undefined,
        restored ? this.#db.table('state').put({ id: RESTORED_ID }) : undefined,
        follows && this.#records.writeMark(follows.journal, follows.seq, FOLLOWING_ID),
        this.#db.table('state').delete(UNFINISHED_ID),
        this.#putBatch(batch, changes),
      ])
    }
    await this.#change('saving the account', ['tokens', 'sessions', 'metadata'], write, enclave)
  }

  async #putBatch(batch: StateBatch, changes: Changes): Promise<void> {
    const { tokens, sessions, metadata, removed } = batch
    changes.unmarked = batch.unmarked
    changes.named = batch.named
    await Promise.all([
      tokens && this.#db.tokens.bulkPut(tokens),
      sessions && this.#db.sessions.bulkPut(sessions),
      metadata && this.#db.metadata.bulkPut(metadata),
    ])
    changes.put('tokens', tokens)
    changes.put('sessions', sessions)
    changes.put('metadata', metadata)
    await Promise.all([
      removed?.tokens && this.#db.tokens.bulkDelete([...removed.tokens]),
      removed?.sessions && this.#db.sessions.bulkDelete([...removed.sessions]),
      removed?.metadata && this.#db.metadata.bulkDelete([...removed.metadata]),
    ])
    changes.delete('tokens', removed?.tokens)
    changes.delete('sessions', removed?.sessions)
    changes.delete('metadata', removed?.metadata)
  }

  /**
   * Moves an unreadable state to a different id, to make room for a restored one. A readable state stays.
   * @returns whether there is room now
   */
  async setUnreadableStateAside(now: number): Promise<boolean> {
    return await this.#run('restoring the account', () =>
      this.#db.transaction('rw', ['state'], async () => {
        const found: unknown = await this.#db.state.get(STATE_ID)
        if (found === undefined) return true
        if (v.is(stateRecord, found)) return false
        await this.#db.table('state').add({ ...Object(found), id: `${UNREADABLE}${now}` })
        await this.#db.state.delete(STATE_ID)
        return true
      }),
    )
  }

  async clearState(): Promise<void> {
    await this.#run('clearing the account', () =>
      this.#db.table<unknown, string>('state').bulkDelete([STATE_ID, RESTORED_ID, FOLLOWING_ID]),
    )
  }

  /**
   * Starts filling the database of an account without a state. If it's empty, it is marked as unfinished until the
   * state is written. Removes what an earlier attempt left. The caller holds the write lock.
   */
  async beginFilling(): Promise<void> {
    await this.#run('restoring the account', () =>
      this.#db.transaction('rw', this.#db.tables, async () => {
        await this.#dropUnfinished()
        if (await isEmpty(this.#db)) await this.#db.table('state').put({ id: UNFINISHED_ID })
      }),
    )
  }

  /** Removes what an earlier attempt to fill the database left, if anything. The caller holds the write lock. */
  async dropUnfinished(): Promise<void> {
    await this.#run('restoring the account', () =>
      this.#db.transaction('rw', this.#db.tables, () => this.#dropUnfinished()),
    )
  }

  async #dropUnfinished(): Promise<void> {
    if (!(await hasNoMoreThanMark(this.#db.table('state')))) return
    for (const table of this.#db.tables) await table.clear()
  }

  /** Removes the state of a just created account again, so that it counts as unfinished. */
  async takeBackState(): Promise<void> {
    await this.#run('clearing the account', () =>
      this.#db.transaction('rw', this.#db.state, async () => {
        await this.#db.state.clear()
        await this.#db.table('state').put({ id: UNFINISHED_ID })
      }),
    )
  }

  /** Whether the state was restored, and the mirror may still have the one it replaced. */
  async isRestored(): Promise<boolean> {
    return await this.#run('reading the account', () => this.#records.isRestored())
  }

  /** Every token that parses, newest first. */
  readTokens(): Promise<TokenRecord[]> {
    return this.#run('reading the tokens', async () => {
      const rest = await this.#rest.read()
      const found: unknown[] = await this.#db.tokens.orderBy('createdAt').reverse().toArray()
      const tokens = this.#readable('tokens', tokenRecord, found)
      return rest ? await rest.joined(tokens) : tokens
    })
  }

  /**
   * Stores a token unless one with its CID exists, with the record that is to outlive it, in one transaction.
   * @returns the stored record
   */
  async addToken(record: TokenRecord, lasting?: MetadataRecord): Promise<TokenRecord> {
    const stored = await this.#addToken(record, lasting)
    if (stored) return stored
    // The journal can't be read within a transaction.
    const rest = await this.#run('reading the tokens', () => this.#rest.read())
    return (await this.#addToken(record, lasting, { same: rest?.withCid(record.cid ?? '') })) ?? record
  }

  /**
   * @param unfollowed what the journal was found to have
   * @returns undefined, and nothing was stored, if the journal must be read first
   */
  async #addToken(
    record: TokenRecord,
    lasting: MetadataRecord | undefined,
    unfollowed?: { readonly same: TokenRecord | undefined },
  ): Promise<TokenRecord | undefined> {
    return await this.#change('saving the token', ['tokens', 'metadata'], async (changes) => {
      const stored =
        (await this.#sameHere([record])).get(record.cid ?? '') ?? (await this.#stillIn(unfollowed?.same))
      const isUnknown = !stored && !unfollowed && record.cid !== undefined
      if (isUnknown && (await this.#records.isFollowing())) return undefined
      if (lasting) {
        await this.#db.metadata.put(lasting)
        changes.put('metadata', [lasting])
      }
      if (stored) return stored
      await this.#db.tokens.add(record)
      changes.put('tokens', [record])
      return record
    })
  }

  /** A token of the journal, if it wasn't deleted since it was read. For use in a transaction. */
  async #stillIn(found: TokenRecord | undefined): Promise<TokenRecord | undefined> {
    return found && (await this.#records.isInJournal(found.id)) ? found : undefined
  }

  /** The stored tokens with the CIDs of these, by CID. Reads what tokens have in common once, however many there are. */
  async sameTokens(records: readonly TokenRecord[]): Promise<ReadonlyMap<string, TokenRecord>> {
    return await this.#run('reading the tokens', async () => {
      const found = new Map(await this.#sameHere(records))
      const rest = await this.#rest.read()
      for (const { cid } of rest ? records : []) {
        const same = cid === undefined || found.has(cid) ? undefined : rest?.withCid(cid)
        if (same?.cid !== undefined) found.set(same.cid, same)
      }
      return found
    })
  }

  /**
   * The tokens of the database with the same CIDs, by CID. Equal CIDs usually mean equal expiry, and few tokens expire in the same
   * second, so this is fast however many there are. Tokens without an expiry use the narrowest index instead; so does a received one
   * that isn't found, because its end is that of the chain that it came with, unless its issuer has too many to look through.
   */
  async #sameHere(records: readonly TokenRecord[]): Promise<ReadonlyMap<string, TokenRecord>> {
    const ending = records.filter(({ expiresAt }) => expiresAt !== undefined)
    const found = await this.#among(ending, async ({ expiresAt = 0 }) => ['expiresAt', expiresAt])
    const { tokens } = this.#db
    const counted = new Map<string, Promise<number>>()
    const count = (index: 'issuer' | 'audience' | 'type', value: string) => {
      const counting =
        counted.get(`${index} ${value}`) ?? Promise.resolve(tokens.where(index).equals(value).count())
      counted.set(`${index} ${value}`, counting)
      return counting
    }
    const rest = records.filter(
      ({ cid = '', expiresAt, type }) => expiresAt === undefined || (type === 'received' && !found.has(cid)),
    )
    const others = await this.#among(rest, async ({ expiresAt, issuer, audience, type }) => {
      if (expiresAt !== undefined)
        return (await count('issuer', issuer)) < MOST_OF_OTHER_ENDS ? ['issuer', issuer] : undefined
      let narrowest: IndexedValue | undefined
      let least = Number.POSITIVE_INFINITY
      for (const [each, own] of Object.entries({ issuer, audience, type })) {
        const number = await count(each as 'issuer', own)
        if (number < least) [narrowest, least] = [[each, own], number]
      }
      return narrowest
    })
    return new Map([...found, ...others])
  }

  /** The tokens with the CIDs of these, of which each is looked for by the index that `by` says, if any. */
  async #among(
    records: readonly TokenRecord[],
    by: (record: TokenRecord) => Promise<IndexedValue | undefined>,
  ): Promise<Map<string, TokenRecord>> {
    const wanted = new Map<string, { by: IndexedValue; cids: Set<string> }>()
    for (const record of records) {
      const indexed = record.cid === undefined ? undefined : await by(record)
      if (record.cid === undefined || !indexed) continue
      const group = wanted.get(indexed.join(' ')) ?? { by: indexed, cids: new Set() }
      group.cids.add(record.cid)
      wanted.set(indexed.join(' '), group)
    }
    const found = new Map<string, TokenRecord>()
    for (const {
      by: [index, value],
      cids,
    } of wanted.values()) {
      const among = this.#db.tokens.where(index).equals(value)
      for (const each of await among.filter(({ cid }) => cid !== undefined && cids.has(cid)).toArray()) {
        const parsed = v.safeParse(tokenRecord, each)
        if (parsed.success && parsed.output.cid !== undefined) found.set(parsed.output.cid, parsed.output)
      }
    }
    return found
  }

  /** The stored token with that issuer and CID, if any. */
  async findToken(issuer: string, cid: string): Promise<TokenRecord | undefined> {
    return await this.#run('reading the tokens', async () => {
      const issued = this.#db.tokens.where('issuer').equals(issuer)
      const found: unknown[] = await issued.filter((each) => each.cid === cid).toArray()
      const [stored] = this.#readable('tokens', tokenRecord, found)
      if (stored) return stored
      return (await this.#rest.read())?.withCid(cid, issuer)
    })
  }

  /** The stored token with that id, if it exists and parses. */
  async readToken(id: string): Promise<TokenRecord | undefined> {
    return await this.#run('reading the tokens', async () => {
      const found: unknown = await this.#db.tokens.get(id)
      if (found === undefined) return (await this.#rest.read())?.token(id)
      return this.#readable('tokens', tokenRecord, [found])[0]
    })
  }

  async removeToken(id: string): Promise<void> {
    await this.#change('removing the token', ['tokens'], async (changes) => {
      await this.#db.tokens.delete(id)
      changes.delete('tokens', [id])
    })
  }

  readSessions(): Promise<SessionRecord[]> {
    return this.#run('reading the sessions', async () =>
      this.#readable(
        'sessions',
        sessionRecord,
        await this.#db.sessions.orderBy('createdAt').reverse().toArray(),
      ),
    )
  }

  async putSession(record: SessionRecord): Promise<void> {
    await this.#change('saving the session', ['sessions'], async (changes) => {
      await this.#db.sessions.put(record)
      changes.put('sessions', [record])
    })
  }

  async removeSession(id: string): Promise<void> {
    await this.#change('removing the session', ['sessions'], async (changes) => {
      await this.#db.sessions.delete(id)
      changes.delete('sessions', [id])
    })
  }

  readMetadata(): Promise<MetadataRecord[]> {
    return this.#run('reading the metadata', async () =>
      this.#readable('metadata', metadataRecord, await this.#db.metadata.toArray()),
    )
  }

  /** The metadata whose key starts with `prefix`. */
  readMetadataUnder(prefix: string): Promise<MetadataRecord[]> {
    return this.#run('reading the metadata', async () =>
      this.#readable(
        'metadata',
        metadataRecord,
        await this.#db.metadata.where('key').startsWith(prefix).toArray(),
      ),
    )
  }

  /** The keys of the metadata whose keys start so, without reading it. */
  metadataKeysUnder(prefix: string): Promise<string[]> {
    return this.#run('reading the metadata', () =>
      this.#db.metadata.where('key').startsWith(prefix).primaryKeys(),
    )
  }

  /** The metadata with that key, if any. */
  async readMetadataOf(key: string): Promise<MetadataRecord | undefined> {
    return await this.#run('reading the metadata', async () => {
      const found: unknown = await this.#db.metadata.get(key)
      return found === undefined ? undefined : this.#readable('metadata', metadataRecord, [found])[0]
    })
  }

  async putMetadata(record: MetadataRecord): Promise<void> {
    await this.#change('saving the metadata', ['metadata'], async (changes) => {
      await this.#db.metadata.put(record)
      changes.put('metadata', [record])
    })
  }

  /**
   * What a clean-up at `now` (milliseconds) would do, at most so many records of each kind. Skips records that don't
   * parse.
   */
  readExpired(now: number, most = EXPIRED_AT_ONCE): Promise<Expiry> {
    return this.#run('cleaning up', async () => {
      const expired = async <S extends v.GenericSchema>(store: 'tokens' | 'sessions', schema: S) => {
        const due = this.#db.table<unknown, string>(store).where('expiresAt').below(now)
        return (await due
          .filter((record) => v.is(schema, record))
          .limit(most)
          .toArray()) as v.InferOutput<S>[]
      }
      const ended = this.#db.metadata.where('key').startsWith(ENDED_PREFIX)
      const over = ended.filter(({ updatedAt }) => updatedAt < now - ENDED_RETENTION).limit(most)
      return {
        tokens: await expired('tokens', tokenRecord),
        sessions: await expired('sessions', sessionRecord),
        forgotten: (await over.toArray()).flatMap((record) => parseEnded(record) ?? []),
      }
    })
  }

  /** The records to write and delete for a clean-up. What is kept after it ends moves to the metadata. */
  expiryBatch({ tokens, sessions, forgotten }: Expiry): StateBatch {
    const ended = [
      ...tokens.flatMap((token) => endedToken(this.address, token) ?? []),
      ...sessions.map((session) => endedSession(this.address, session)),
    ]
    const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id)
    return {
      metadata: ended,
      removed: { tokens: ids(tokens), sessions: ids(sessions), metadata: ids(forgotten) },
      // Clocks differ: each device decides what has expired.
      unmarked: true,
    }
  }

  /** Writes and deletes records in one transaction. */
  async writeBatch(batch: StateBatch, what = 'cleaning up'): Promise<void> {
    await this.#change(what, ['tokens', 'sessions', 'metadata'], (changes) => this.#putBatch(batch, changes))
  }

  /**
   * Reads records by id, and writes what follows from them, in one transaction. For what devices exchange: nothing is
   * marked. @param decide gets the records that exist, unparsed, in order
   */
  async exchange(ids: RecordIds, decide: (found: FoundRecords) => StateBatch): Promise<void> {
    const what = 'saving what devices exchange'
    // The journal can't be read within a transaction.
    const rest = ids.tokens?.length ? await this.#run(what, () => this.#rest.read()) : undefined
    await this.#change(what, ['tokens', 'sessions', 'metadata'], async (changes) => {
      const find = (store: JournaledStore) => this.#db.table<unknown>(store).bulkGet([...(ids[store] ?? [])])
      const [here, sessions, metadata] = await Promise.all([
        find('tokens'),
        find('sessions'),
        find('metadata'),
      ])
      const tokens = await Promise.all(
        here.map((each, at) => each ?? this.#stillIn(rest?.token(ids.tokens?.[at] ?? ''))),
      )
      await this.#putBatch({ ...decide({ tokens, sessions, metadata }), unmarked: true }, changes)
    })
  }

  /**
   * Restores what a clock that was ahead removed, and what hasn't expired at `now` (milliseconds). A token that was
   * stored again in the meantime stays as it is. Takes the write lock.
   * @returns how many tokens and sessions
   */
  async restoreUnexpired(now: number): Promise<number> {
    if ((await this.#endedAfter(now)).length === 0) return 0
    return await withWriteLock(this.address, async () => {
      const records = await this.#endedAfter(now)
      const ended = records.flatMap((each) => (each.store === 'tokens' ? [each.record] : []))
      const sessions = records.flatMap((each) => (each.store === 'sessions' ? [each.record] : []))
      const known = new Set((await this.sameTokens(ended)).keys())
      const tokens: TokenRecord[] = []
      for (const token of ended) {
        if (token.cid === undefined || !known.has(token.cid)) tokens.push(token)
        if (token.cid !== undefined) known.add(token.cid)
      }
      const metadata = records.map(({ id }) => id)
      await this.writeBatch({ tokens, sessions, removed: { metadata }, unmarked: true })
      return tokens.length + sessions.length
    })
  }

  async #endedAfter(now: number): Promise<EndedRecord[]> {
    const found = await this.#run('cleaning up', () =>
      this.#db.metadata
        .where('updatedAt')
        .above(now)
        .filter(({ key }) => key.startsWith(ENDED_PREFIX))
        .toArray(),
    )
    return found.flatMap((record) => parseEnded(record) ?? [])
  }

  /** Every token that parses, `size` at a time, in no particular order. */
  async *tokenPages(size = PAGE): AsyncGenerator<TokenRecord[]> {
    const rest = await this.#run('reading the tokens', () => this.#rest.read())
    const pages = this.#pages('tokens', tokenRecord, size)
    yield* rest ? rest.after(pages, size) : pages
  }

  /** Every metadata record that parses, `size` at a time. */
  metadataPages(size = PAGE): AsyncGenerator<MetadataRecord[]> {
    return this.#pages('metadata', metadataRecord, size)
  }

  /** How many records a store has, including those that don't parse. */
  async count(store: JournaledStore): Promise<number> {
    return await this.#run('counting the records', async () => {
      const rest = store === 'tokens' ? await this.#rest.read() : undefined
      if (!rest) return await this.#records.count(store)
      return rest.idsWith(await this.#db.tokens.toCollection().primaryKeys()).length
    })
  }

  async *#pages<S extends v.GenericSchema>(
    store: 'tokens' | 'metadata',
    schema: S,
    size: number,
  ): AsyncGenerator<v.InferOutput<S>[]> {
    const table = this.#db.table<{ id: string }, string>(store)
    let after: string | undefined
    for (;;) {
      const from = after
      const found = await this.#run('reading the account', () =>
        (from === undefined ? table.orderBy(':id') : table.where(':id').above(from)).limit(size).toArray(),
      )
      if (found.length === 0) return
      yield this.#readable(store, schema, found)
      after = found.at(-1)?.id
    }
  }

  /** The expired tokens that are still kept, last to expire first. */
  async readEndedTokens(): Promise<TokenRecord[]> {
    const found = await this.readMetadataUnder(`${ENDED_PREFIX}tokens:`)
    return found
      .map(parseEnded)
      .flatMap((each) => (each?.store === 'tokens' ? [each.record] : []))
      .sort((one, other) => (other.expiresAt ?? 0) - (one.expiresAt ?? 0))
  }

  #readable<S extends v.GenericSchema>(store: StoreName, schema: S, records: unknown[]): v.InferOutput<S>[] {
    const readable: v.InferOutput<S>[] = []
    for (const record of records) {
      const parsed = v.safeParse(schema, record)
      if (parsed.success) readable.push(parsed.output)
      else this.#report(store, record, v.summarize(parsed.issues))
    }
    return readable
  }

  #report(store: StoreName, record: unknown, reason: string): void {
    const id =
      typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : '(without an id)'
    const key = `${store}:${id}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#listener.unreadable?.({ store, id, reason })
  }

  /** Changes records in one transaction, and updates the mirror. @param enclave the sealed state, if it's written */
  async #change<T>(
    what: string,
    stores: readonly JournaledStore[],
    work: (changes: Changes) => Promise<T>,
    enclave?: string,
  ): Promise<T> {
    return await this.#run(what, () =>
      this.#mirror.write(
        () =>
          this.#db.transaction('rw', [...new Set(['state', 'metadata', ...stores])], async () => {
            const changes = new Changes()
            const [before, link, result] = await Promise.all([
              this.#records.readMark(),
              this.#db.metadata.get(DEVICE_LINK),
              work(changes),
            ])
            if (link && !changes.unmarked) await this.#markShared(changes)
            const { lines, gone, state } = changes
            if (before?.id === FOLLOWING_ID && gone.length > 0) await this.#records.noteGone(gone)
            const mark = lines.length > 0 && before ? await this.#records.countOn(before) : undefined
            return { result, mark, lines, state }
          }),
        enclave,
      ),
    )
  }

  /** Marks what other devices have to get, in the same transaction. */
  async #markShared(changes: Changes): Promise<void> {
    const { shared, named } = changes
    const marks = shared.map(([store, id]) => markOf(this.address, store, id))
    if (named) marks.push(nameMark(this.address, named))
    await this.#db.metadata.bulkPut(marks)
    changes.put('metadata', marks)
  }

  async #run<T>(what: string, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error, what)
    }
  }
}
