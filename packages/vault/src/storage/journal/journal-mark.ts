import type { Table } from 'dexie'
import * as v from 'valibot'
import { FOLLOWING_ID, type JournalMark, journalMark, MARK_ID } from '../schema.ts'

/** The store of an account's state. */
export type StateTable = Table<unknown, string>

/** How far an account's journal must be; undefined if its database has no mirror yet. */
export async function readJournalMark(state: Pick<StateTable, 'bulkGet'>): Promise<JournalMark | undefined> {
  const marks = await state.bulkGet([MARK_ID, FOLLOWING_ID])
  return marks.find((mark): mark is JournalMark => v.is(journalMark, mark))
}

/**
 * Whether the journal has tokens that the database lacks. If both marks are there, an older version of Keyhole has taken
 * them in.
 */
export async function isFollowing(state: Pick<StateTable, 'bulkGet'>): Promise<boolean> {
  return (await readJournalMark(state))?.id === FOLLOWING_ID
}
