import * as v from 'valibot'
import { refused } from '../../base/errors.ts'
import { isResealed, revisionOf } from '../../enclave/revision.ts'
import { ENDED_PREFIX, type Expiry, endedTokensOf } from '../expiry.ts'
import type { JournaledStore } from '../journal/journal-lines.ts'
import type { MirrorHealth } from '../mirror/mirror-writer.ts'
import {
  FOLLOWING_ID,
  type MetadataRecord,
  metadataRecord,
  openable,
  RESTORED_ID,
  type SessionRecord,
  STATE_ID,
  type StateRecord,
  sessionRecord,
  stateRecord,
  type TokenRecord,
  UNFINISHED_ID,
} from '../schema.ts'
import { toStorageError, withStorageErrors } from '../storage-error.ts'
import { withWriteLock } from '../write-lock.ts'
import { hasNoMoreThanMark, isEmpty, parseState, refuseNewerSchema } from './account-databases.ts'
import { AccountTokens, PAGE } from './account-tokens.ts'
import { batchOf, findEndedAfter, findExpired } from './expired-records.ts'
import type { Changes, FoundRecords, RecordIds, StateBatch, StateOrigin } from './state-batch.ts'
import type { StorageListener } from './storage-listener.ts'

/** States that were set aside: replaced by a reset, or unreadable when the account was restored. */
const REPLACED = 'replaced-'
const UNREADABLE = 'unreadable-'
const SET_ASIDE = [REPLACED, UNREADABLE]

/** Records of each kind per clean-up transaction. */
const EXPIRED_AT_ONCE = 2_000

/** The open storage of an account: its database or, in memory and read-only, its second copy. */
export type OpenStorage = Pick<AccountStorage, Exclude<keyof AccountStorage, 'isCopy' | 'records'>> & {
  readonly isCopy: boolean
}

/** One account's open database. Every failure is a `VaultError` and leaves what was stored unchanged. */
export class AccountStorage extends AccountTokens {
  readonly isCopy: boolean = false

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
    this.mirror.close()
    this.db.close()
  }

  /**
   * Keeps a second copy outside IndexedDB from now on, and syncs the two in the background. Does nothing if the browser
   * has no place for it.
   * @param restored whether the state was just restored: then it overrides the copy's, whatever its revision
   * @returns resolves, and never rejects, once the copy has the state, and the database has what only the copy had
   */
  async startMirror({ restored = false } = {}): Promise<void> {
    await this.mirror.start(restored)
  }

  /** Resolves once the second copy is in sync, or is known not to be. */
  async mirrored(): Promise<void> {
    await this.mirror.settled()
  }

  /** Rewrites the second copy completely. Never fails: `mirrorHealth` reports the result. */
  async renewMirror(): Promise<void> {
    await this.mirror.renew()
  }

  /** Whether the second copy is complete. */
  async mirrorHealth(): Promise<MirrorHealth> {
    return await this.mirror.health()
  }

  /** The state record, if any. One that doesn't parse is an error, because there is no other to fall back to. */
  async readState(): Promise<StateRecord | undefined> {
    return withStorageErrors('reading the account', async () => {
      const found: unknown = await this.db.state.get(STATE_ID)
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
      const found: unknown = await this.db.state.get(STATE_ID)
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
        this.db.state.put(state),
        isLater && this.db.table('state').where(':id').startsWithAnyOf(SET_ASIDE).delete(),
        replaces && before ? this.db.table('state').put({ ...before, id: `${REPLACED}${now}` }) : undefined,
        restored ? this.db.table('state').put({ id: RESTORED_ID }) : undefined,
        follows && this.records.writeMark(follows.journal, follows.seq, FOLLOWING_ID),
        this.db.table('state').delete(UNFINISHED_ID),
        this.writes.put(batch, changes),
      ])
    }
    await this.writes.change('saving the account', ['tokens', 'sessions', 'metadata'], write, enclave)
  }

  /**
   * Moves an unreadable state to a different id, to make room for a restored one. A readable state stays.
   * @returns whether there is room now
   */
  async setUnreadableStateAside(now: number): Promise<boolean> {
    return await withStorageErrors('restoring the account', () =>
      this.db.transaction('rw', ['state'], async () => {
        const found: unknown = await this.db.state.get(STATE_ID)
        if (found === undefined) return true
        if (v.is(stateRecord, found)) return false
        await this.db.table('state').add({ ...Object(found), id: `${UNREADABLE}${now}` })
        await this.db.state.delete(STATE_ID)
        return true
      }),
    )
  }

  async clearState(): Promise<void> {
    await withStorageErrors('clearing the account', () =>
      this.db.table<unknown, string>('state').bulkDelete([STATE_ID, RESTORED_ID, FOLLOWING_ID]),
    )
  }

  /**
   * Starts filling the database of an account without a state. If it's empty, it is marked as unfinished until the
   * state is written. Removes what an earlier attempt left. The caller holds the write lock.
   */
  async beginFilling(): Promise<void> {
    await withStorageErrors('restoring the account', () =>
      this.db.transaction('rw', this.db.tables, async () => {
        await this.#dropUnfinished()
        if (await isEmpty(this.db)) await this.db.table('state').put({ id: UNFINISHED_ID })
      }),
    )
  }

  /** Removes what an earlier attempt to fill the database left, if anything. The caller holds the write lock. */
  async dropUnfinished(): Promise<void> {
    await withStorageErrors('restoring the account', () =>
      this.db.transaction('rw', this.db.tables, () => this.#dropUnfinished()),
    )
  }

  async #dropUnfinished(): Promise<void> {
    if (!(await hasNoMoreThanMark(this.db.table('state')))) return
    for (const table of this.db.tables) await table.clear()
  }

  /** Removes the state of a just created account again, so that it counts as unfinished. */
  async takeBackState(): Promise<void> {
    await withStorageErrors('clearing the account', () =>
      this.db.transaction('rw', this.db.state, async () => {
        await this.db.state.clear()
        await this.db.table('state').put({ id: UNFINISHED_ID })
      }),
    )
  }

  /** Whether the state was restored, and the mirror may still have the one it replaced. */
  async isRestored(): Promise<boolean> {
    return await withStorageErrors('reading the account', () => this.records.isRestored())
  }

  readSessions(): Promise<SessionRecord[]> {
    return withStorageErrors('reading the sessions', async () =>
      this.parser.parse(
        'sessions',
        sessionRecord,
        await this.db.sessions.orderBy('createdAt').reverse().toArray(),
      ),
    )
  }

  async putSession(record: SessionRecord): Promise<void> {
    await this.writes.change('saving the session', ['sessions'], async (changes) => {
      await this.db.sessions.put(record)
      changes.put('sessions', [record])
    })
  }

  async removeSession(id: string): Promise<void> {
    await this.writes.change('removing the session', ['sessions'], async (changes) => {
      await this.db.sessions.delete(id)
      changes.delete('sessions', [id])
    })
  }

  readMetadata(): Promise<MetadataRecord[]> {
    return withStorageErrors('reading the metadata', async () =>
      this.parser.parse('metadata', metadataRecord, await this.db.metadata.toArray()),
    )
  }

  /** The metadata whose key starts with `prefix`. */
  readMetadataUnder(prefix: string): Promise<MetadataRecord[]> {
    return withStorageErrors('reading the metadata', async () =>
      this.parser.parse(
        'metadata',
        metadataRecord,
        await this.db.metadata.where('key').startsWith(prefix).toArray(),
      ),
    )
  }

  /** The keys of the metadata whose keys start so, without reading it. */
  metadataKeysUnder(prefix: string): Promise<string[]> {
    return withStorageErrors('reading the metadata', () =>
      this.db.metadata.where('key').startsWith(prefix).primaryKeys(),
    )
  }

  /** The metadata with that key, if any. */
  async readMetadataOf(key: string): Promise<MetadataRecord | undefined> {
    return await withStorageErrors('reading the metadata', async () => {
      const found: unknown = await this.db.metadata.get(key)
      return found === undefined ? undefined : this.parser.parse('metadata', metadataRecord, [found])[0]
    })
  }

  async putMetadata(record: MetadataRecord): Promise<void> {
    await this.writes.change('saving the metadata', ['metadata'], async (changes) => {
      await this.db.metadata.put(record)
      changes.put('metadata', [record])
    })
  }

  /** Every metadata record that parses, `size` at a time. */
  metadataPages(size = PAGE): AsyncGenerator<MetadataRecord[]> {
    return this.parser.pages(this.db, 'metadata', metadataRecord, size)
  }

  /**
   * Reads records by id, and writes what follows from them, in one transaction. For what devices exchange: nothing is
   * marked. @param decide gets the records that exist, unparsed, in order
   */
  async exchange(ids: RecordIds, decide: (found: FoundRecords) => StateBatch): Promise<void> {
    const what = 'saving what devices exchange'
    // The journal can't be read within a transaction.
    const rest = ids.tokens?.length ? await withStorageErrors(what, () => this.rest.read()) : undefined
    await this.writes.change(what, ['tokens', 'sessions', 'metadata'], async (changes) => {
      const find = (store: JournaledStore) => this.db.table<unknown>(store).bulkGet([...(ids[store] ?? [])])
      const [here, sessions, metadata] = await Promise.all([
        find('tokens'),
        find('sessions'),
        find('metadata'),
      ])
      const tokens = await Promise.all(
        here.map((each, at) => each ?? this.stillIn(rest?.token(ids.tokens?.[at] ?? ''))),
      )
      await this.writes.put({ ...decide({ tokens, sessions, metadata }), unmarked: true }, changes)
    })
  }

  /** Writes and deletes records in one transaction. */
  async writeBatch(batch: StateBatch, what = 'cleaning up'): Promise<void> {
    await this.writes.change(what, ['tokens', 'sessions', 'metadata'], (changes) =>
      this.writes.put(batch, changes),
    )
  }

  /**
   * What a clean-up at `now` (milliseconds) would do, at most so many records of each kind. Skips records that don't
   * parse.
   */
  readExpired(now: number, most = EXPIRED_AT_ONCE): Promise<Expiry> {
    return withStorageErrors('cleaning up', () => findExpired(this.db, now, most))
  }

  /** The records to write and delete for a clean-up. What is kept after it ends moves to the metadata. */
  expiryBatch(expiry: Expiry): StateBatch {
    return batchOf(this.address, expiry)
  }

  /**
   * Restores what a clock that was ahead removed, and what hasn't expired at `now` (milliseconds). A token that was
   * stored again in the meantime stays as it is. Takes the write lock.
   * @returns how many tokens and sessions
   */
  async restoreUnexpired(now: number): Promise<number> {
    const find = () => withStorageErrors('cleaning up', () => findEndedAfter(this.db, now))
    if ((await find()).length === 0) return 0
    return await withWriteLock(this.address, async () => {
      const records = await find()
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

  /** The expired tokens that are still kept, last to expire first. */
  async readEndedTokens(): Promise<TokenRecord[]> {
    return endedTokensOf(await this.readMetadataUnder(`${ENDED_PREFIX}tokens:`))
  }
}
