import { breathe } from '../journal/journal.ts'
import type { RecordKey } from '../journal/journal-lines.ts'
import { type JournaledRecords, portions, readable } from '../journal/journaled-records.ts'
import { FOLLOWING_ID, GONE_PREFIX } from '../schema.ts'

/** Tokens per transaction: a person's change waits for one of them at most. */
const FOLLOWED_AT_ONCE = 200

/**
 * Adds the journal's tokens that the database lacks, a portion at a time, and then says that it has all. If
 * interrupted, it can be repeated.
 * @param mayGoOn called before each portion; throws to stop
 */
export async function followJournal(
  records: JournaledRecords,
  entries: ReadonlyMap<RecordKey, string | undefined>,
  mayGoOn: () => void,
): Promise<void> {
  const { db } = records
  const [tokens, state] = [db.table<object, unknown>('tokens'), db.table<object, unknown>('state')]
  const written = [...entries.keys()].filter((key) => entries.get(key) !== undefined)
  for (const { store, keys, ids } of portions(written, FOLLOWED_AT_ONCE)) {
    if (store !== 'tokens') continue
    mayGoOn()
    await db.transaction('rw', ['state', 'tokens'], async () => {
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
  await endFollowing(records)
}

/** Says that the database has everything that the journal has. */
export async function endFollowing(records: JournaledRecords): Promise<void> {
  const { db } = records
  const state = db.table<object, unknown>('state')
  await db.transaction('rw', ['state'], async () => {
    const mark = await records.readMark()
    if (mark?.id === FOLLOWING_ID) await records.writeMark(mark.journal, mark.seq)
    await state.delete(FOLLOWING_ID)
    await state.where(':id').startsWith(GONE_PREFIX).delete()
  })
}
