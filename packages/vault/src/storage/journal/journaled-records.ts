import * as v from 'valibot'
import {
  type AccountDatabase,
  FOLLOWING_ID,
  GONE_PREFIX,
  type JournalMark,
  journalMark,
  MARK_ID,
  RESTORED_ID,
} from '../schema.ts'
import { breathe, JOURNALED, type JournaledStore, keyOf, parseKey, type RecordKey } from './journal.ts'
import { decodeValue } from './journal-value.ts'

/** Records per transaction and per read. */
const AT_ONCE = 500
const KEYS_AT_ONCE = 5000
/** Tokens per transaction of a database that follows: a person's change waits for one of them at most. */
const FOLLOWED_AT_ONCE = 200

/** A journal's contents, and how to apply them to the database. */
export interface TakeOver {
  readonly entries: ReadonlyMap<RecordKey, string | undefined>
  /**
   * `follow`: the journal is ahead of this database, so it wins, including deletions. `join`: neither side knows the
   * other's history, so missing records are added, newer metadata wins, and nothing is deleted.
   */
  readonly mode: 'follow' | 'join'
  /**
   * When joining, this database's log continues. The journal's log lines that aren't part of it get different keys with
   * this suffix.
   */
  readonly apart?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** An account's records for the mirror: unparsed, as they are. */
export class JournaledRecords {
  readonly #db: AccountDatabase

  constructor(db: AccountDatabase) {
    this.#db = db
  }

  /** How far the journal must be; undefined if the database has no mirror yet. */
  async readMark(): Promise<JournalMark | undefined> {
    const marks: unknown[] = await this.#table('state').bulkGet([MARK_ID, FOLLOWING_ID])
    return marks.find((mark): mark is JournalMark => v.is(journalMark, mark))
  }

  /** @param id says whether the journal still has tokens that the database lacks. By default, the database has all */
  async writeMark(journal: string, seq: number, id: JournalMark['id'] = MARK_ID): Promise<JournalMark> {
    const mark: JournalMark = { id, journal, seq }
    await this.#table('state').put(mark)
    return mark
  }

  /** Whether the journal has tokens that the database lacks. */
  async isFollowing(): Promise<boolean> {
    return (await this.readMark())?.id === FOLLOWING_ID
  }

  /** Notes in a change's transaction that it deleted tokens which the database may not have yet. */
  async noteGone(ids: readonly string[]): Promise<void> {
    await this.#table('state').bulkPut(ids.map((id) => ({ id: GONE_PREFIX + id })))
  }

  /**
   * Adds the journal's tokens that the database lacks, a portion at a time, and then says that it has all. If
   * interrupted, it can be repeated.
   * @param mayGoOn called before each portion; throws to stop
   */
  async follow(entries: ReadonlyMap<RecordKey, string | undefined>, mayGoOn: () => void): Promise<void> {
    const [tokens, state] = [this.#table('tokens'), this.#table('state')]
    const written = [...entries.keys()].filter((key) => entries.get(key) !== undefined)
    for (const { store, keys, ids } of portions(written, FOLLOWED_AT_ONCE)) {
      if (store !== 'tokens') continue
      mayGoOn()
      await this.#db.transaction('rw', ['state', 'tokens'], async () => {
        const [present, gone] = await Promise.all([
          tokens.where(':id').anyOf(ids.map(String)).primaryKeys(),
          state.bulkGet(ids.map((id) => `${GONE_PREFIX}${id}`)),
        ])
        const isHere = new Set(present)
        const puts = keys.flatMap((key, index) =>
          isHere.has(ids[index]) || gone[index] !== undefined ? [] : (readable(entries.get(key) ?? '') ?? []),
        )
        await tokens.bulkPut(puts)
      })
      await breathe()
    }
    await this.endFollowing()
  }

  /** Says that the database has everything that the journal has. */
  async endFollowing(): Promise<void> {
    const state = this.#table('state')
    await this.#db.transaction('rw', ['state'], async () => {
      const mark = await this.readMark()
      if (mark?.id === FOLLOWING_ID) await this.writeMark(mark.journal, mark.seq)
      await state.delete(FOLLOWING_ID)
      await state.where(':id').startsWith(GONE_PREFIX).delete()
    })
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

  /**
   * Applies a journal's contents to the database, in transactions of limited size. If interrupted, it can be repeated.
   * @returns how many records were written or deleted, and how many of the journal's couldn't be read
   */
  async takeOver({
    entries,
    mode,
    apart,
    signal,
    onProgress,
  }: TakeOver): Promise<{ changed: number; bad: number }> {
    let changed = 0
    let bad = 0
    let done = 0
    const ends = apart === undefined ? undefined : await this.#endOfLog()
    const empty = new Map<JournaledStore, boolean>()
    for (const { store, keys, ids } of portions([...entries.keys()])) {
      signal?.throwIfAborted()
      const table = this.#table(store)
      // An empty store has nothing to compare with, since ids are unique.
      if (!empty.has(store)) empty.set(store, (await table.count()) === 0)
      await this.#db.transaction('rw', store, async () => {
        const present: unknown[] = empty.get(store) ? [] : await table.bulkGet(ids)
        const puts: object[] = []
        const deletes: unknown[] = []
        keys.forEach((key, index) => {
          const text = entries.get(key)
          const here = present[index]
          if (text === undefined) {
            if (mode === 'follow' && here !== undefined) deletes.push(ids[index])
            return
          }
          const record = readable(text)
          if (record === undefined) bad += 1
          else if (ends !== undefined && isApart(record, here, ends)) puts.push(renamed(record, `${apart}`))
          else if (here === undefined || mode === 'follow' || isNewer(store, record, here)) puts.push(record)
        })
        await table.bulkPut(puts)
        await table.bulkDelete(deletes)
        changed += puts.length + deletes.length
      })
      done += keys.length
      onProgress?.(done, entries.size)
    }
    return { changed, bad }
  }

  /** The number of the last log line here; 0 if there is none. */
  async #endOfLog(): Promise<number> {
    const keys: unknown[] = await this.#table('metadata')
      .where('key')
      .startsWith(ACTIVITY_PREFIX)
      .primaryKeys()
    return keys.reduce<number>((last, key) => Math.max(last, lineOf(key) ?? 0), 0)
  }

  /** The records with ids after this one, in order. */
  #following(store: JournaledStore, after: unknown) {
    const table = this.#table(store)
    return after === undefined ? table.orderBy(':id') : table.where(':id').above(after)
  }

  #table(store: JournaledStore | 'state') {
    return this.#db.table<object, unknown>(store)
  }
}

function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined
}

function readable(text: string): object | undefined {
  try {
    const record = decodeValue(text)
    return typeof record === 'object' && record !== null ? record : undefined
  } catch {
    return undefined
  }
}

const changing = v.looseObject({ updatedAt: v.number() })

function isNewer(store: JournaledStore, record: unknown, here: unknown): boolean {
  if (store !== 'metadata') return false
  return v.is(changing, record) && (!v.is(changing, here) || record.updatedAt > here.updatedAt)
}

const ACTIVITY_PREFIX = 'activity:'

/** The number of a log line by its key; undefined for everything else. */
function lineOf(key: unknown): number | undefined {
  const match = typeof key === 'string' ? /^activity:(\d+)$/.exec(key) : null
  return match ? Number(match[1]) : undefined
}

const logLine = v.looseObject({ id: v.string(), key: v.string(), sealed: v.string() })

/** Whether a log line doesn't belong to the log that ends with line `last`: it differs from ours, or comes later. */
function isApart(record: unknown, here: unknown, last: number): boolean {
  if (!v.is(logLine, record)) return false
  const line = lineOf(record.key)
  if (line === undefined) return false
  return here === undefined ? line > last : !(v.is(logLine, here) && here.sealed === record.sealed)
}

function renamed(record: object, apart: string): object {
  const name = v.is(logLine, record)
    ? `activity-apart:${record.key.slice(ACTIVITY_PREFIX.length)}:${apart}`
    : ''
  return { ...record, id: name, key: name }
}

/** Keys by store, in portions. */
function* portions(
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
