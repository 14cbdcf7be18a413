import { type AccountDatabase, GONE_PREFIX, type JournalMark, MARK_ID, RESTORED_ID } from '../schema.ts'
import { JOURNALED, type JournaledStore, keyOf, parseKey, type RecordKey } from './journal-lines.ts'
import { isFollowing, readJournalMark, type StateTable } from './journal-mark.ts'
import { decodeValue } from './journal-value.ts'

/** Records per transaction and per read. */
const AT_ONCE = 500
const KEYS_AT_ONCE = 5000

/** An account's records for the mirror: unparsed, as they are. */
export class JournaledRecords {
  readonly #db: AccountDatabase

  constructor(db: AccountDatabase) {
    this.#db = db
  }

  /** The database itself, for code that follows the journal. */
  get db(): AccountDatabase {
    return this.#db
  }

  /** How far the journal must be; undefined if the database has no mirror yet. */
  async readMark(): Promise<JournalMark | undefined> {
    return await readJournalMark(this.#state)
  }

  /** @param id says whether the journal still has tokens that the database lacks. By default, the database has all */
  async writeMark(journal: string, seq: number, id: JournalMark['id'] = MARK_ID): Promise<JournalMark> {
    const mark: JournalMark = { id, journal, seq }
    await this.#table('state').put(mark)
    return mark
  }

  /** Whether the journal has tokens that the database lacks. */
  async isFollowing(): Promise<boolean> {
    return await isFollowing(this.#state)
  }

  /** Notes in a change's transaction that it deleted tokens which the database may not have yet. */
  async noteGone(ids: readonly string[]): Promise<void> {
    await this.#table('state').bulkPut(ids.map((id) => ({ id: GONE_PREFIX + id })))
  }

  /** Whether the journal has that token, the database may lack it, and it wasn't deleted. */
  async isInJournal(id: string): Promise<boolean> {
    return (await this.isFollowing()) && (await this.#state.get(GONE_PREFIX + id)) === undefined
  }

  /** Whether the state was restored, and the mirror may not have it yet. */
  async isRestored(): Promise<boolean> {
    return (await this.#table('state').get(RESTORED_ID)) !== undefined
  }

  /** Called when the mirror has the restored state. */
  async forgetRestored(): Promise<void> {
    await this.#table('state').delete(RESTORED_ID)
  }

  /** Counts one more change. Used inside that change's transaction, so it only counts if the change is committed. */
  async nextMark(): Promise<JournalMark | undefined> {
    const mark = await this.readMark()
    return mark && (await this.countOn(mark))
  }

  /** Counts one more change after a mark read in the same transaction. */
  async countOn({ id, journal, seq }: JournalMark): Promise<JournalMark> {
    return await this.writeMark(journal, seq + 1, id)
  }

  /** The keys of all records of a store, in portions. */
  async *keys(store: JournaledStore): AsyncGenerator<RecordKey[]> {
    let after: unknown
    for (;;) {
      const ids: unknown[] = await this.#following(store, after).limit(KEYS_AT_ONCE).primaryKeys()
      if (ids.length === 0) break
      yield ids.map((id) => keyOf(store, id))
      after = ids.at(-1)
    }
  }

  async count(store: JournaledStore): Promise<number> {
    return await this.#table(store).count()
  }

  /** Every record, in portions, each read in its own transaction. */
  async *all(): AsyncGenerator<{ key: RecordKey; record: unknown }[]> {
    for (const store of JOURNALED) {
      let after: unknown
      for (;;) {
        const records: object[] = await this.#following(store, after).limit(AT_ONCE).toArray()
        if (records.length === 0) break
        yield records.map((record) => ({ key: keyOf(store, idOf(record)), record }))
        after = idOf(records.at(-1))
      }
    }
  }

  /** Those of the requested records that exist. */
  async find(keys: readonly RecordKey[]): Promise<Map<RecordKey, unknown>> {
    const found = new Map<RecordKey, unknown>()
    for (const { store, keys: portion, ids } of portions(keys)) {
      const records: unknown[] = await this.#table(store).bulkGet(ids)
      portion.forEach((key, index) => {
        if (records[index] !== undefined) found.set(key, records[index])
      })
    }
    return found
  }

  /** The records with ids after this one, in order. */
  #following(store: JournaledStore, after: unknown) {
    const table = this.#table(store)
    return after === undefined ? table.orderBy(':id') : table.where(':id').above(after)
  }

  get #state(): StateTable {
    return this.#db.table('state')
  }

  #table(store: JournaledStore | 'state') {
    return this.#db.table<object, unknown>(store)
  }
}

/** A record's id; undefined if it has none. */
export function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined
}

export function readable(text: string): object | undefined {
  try {
    const record = decodeValue(text)
    return typeof record === 'object' && record !== null ? record : undefined
  } catch {
    return undefined
  }
}

/** Keys by store, in portions. */
export function* portions(
  all: readonly RecordKey[],
  size = AT_ONCE,
): Generator<{ store: JournaledStore; keys: RecordKey[]; ids: unknown[] }> {
  for (const store of JOURNALED) {
    const own = all.flatMap((key) => {
      const parsed = parseKey(key)
      return parsed?.store === store ? [{ key, id: parsed.id }] : []
    })
    for (let at = 0; at < own.length; at += size) {
      const portion = own.slice(at, at + size)
      yield { store, keys: portion.map(({ key }) => key), ids: portion.map(({ id }) => id) }
    }
  }
}
