import * as v from 'valibot'
import { DEVICE_LINK, DEVICE_PREFIX, isShared, markOf } from '../devices/device-marks.ts'
import { type JournaledStore, keyOf, type RecordKey } from '../journal/journal-lines.ts'
import { type JournaledRecords, portions, readable } from '../journal/journaled-records.ts'
import type { AccountDatabase } from '../schema.ts'

/** A journal's contents, and how to apply them to the database. */
export interface TakeOver {
  readonly entries: ReadonlyMap<RecordKey, string | undefined>
  /**
   * `follow`: the journal is ahead of this database, so it wins, including deletions. `join`: neither side knows the
   * other's history, so missing records are added, newer metadata wins, and nothing is deleted.
   */
  readonly mode: 'follow' | 'join'
  /**
   * When joining, this database's state continues, and its log. The journal's log lines that aren't part of it get
   * different keys with this suffix. What is about its devices is left out, unless this account is on the same ones.
   */
  readonly apart?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Applies a journal's contents to the database, in transactions of limited size. If interrupted, it can be repeated.
 * @returns how many records were written or deleted, and how many of the journal's couldn't be read
 */
export async function takeOver(
  { db }: JournaledRecords,
  { entries, mode, apart, signal, onProgress }: TakeOver,
): Promise<{ changed: number; bad: number }> {
  let changed = 0
  let bad = 0
  let done = 0
  const ends = apart === undefined ? undefined : await endOfLog(db)
  const empty = new Map<JournaledStore, boolean>()
  // A state from a backup is no device's. What says otherwise would keep its keys from being changed.
  const link: unknown = apart === undefined ? undefined : await db.metadata.get(DEVICE_LINK)
  const there = readable(entries.get(keyOf('metadata', DEVICE_LINK)) ?? '')
  const isSameDevices = apart === undefined || isSameRoot(link, there)
  const taken = [...entries.keys()].filter((key) => isSameDevices || !key.startsWith(OF_DEVICE))
  // The devices that it is on by now have not read what the journal brings.
  const marked = !isSameDevices && v.is(deviceLink, link) ? link.accountAddress : undefined
  for (const { store, keys, ids } of portions(taken)) {
    signal?.throwIfAborted()
    const table = db.table<object, unknown>(store)
    // An empty store has nothing to compare with, since ids are unique.
    if (!empty.has(store)) empty.set(store, (await table.count()) === 0)
    await db.transaction('rw', [...new Set([store, 'metadata'])], async () => {
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
      if (marked !== undefined)
        await db.metadata.bulkPut(puts.flatMap((record) => markFor(marked, store, record)))
      changed += puts.length + deletes.length
    })
    done += keys.length
    onProgress?.(done, entries.size)
  }
  return { changed, bad }
}

/** How the keys of what belongs to a device begin. */
export const OF_DEVICE: RecordKey = keyOf('metadata', DEVICE_PREFIX).slice(0, -1)

const deviceLink = v.looseObject({ accountAddress: v.string(), account: v.string(), root: v.string() })

/** Whether two links are of the same devices. */
function isSameRoot(here: unknown, there: unknown): boolean {
  if (!v.is(deviceLink, here) || !v.is(deviceLink, there)) return false
  return here.account === there.account && here.root === there.root
}

/** The mark of a record that other devices have to get, if any. */
function markFor(accountAddress: string, store: JournaledStore, record: object) {
  const id = 'id' in record ? String(record.id) : ''
  return isShared(store, id) ? [markOf(accountAddress, store, id)] : []
}

/** The number of the last log line here; 0 if there is none. */
async function endOfLog(db: AccountDatabase): Promise<number> {
  const keys: unknown[] = await db
    .table<object, unknown>('metadata')
    .where('key')
    .startsWith(ACTIVITY_PREFIX)
    .primaryKeys()
  return keys.reduce<number>((last, key) => Math.max(last, lineOf(key) ?? 0), 0)
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
