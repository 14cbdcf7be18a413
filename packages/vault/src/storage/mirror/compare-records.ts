import { breathe, type JournalListing } from '../journal/journal.ts'
import { JOURNALED, putLine, type RecordKey } from '../journal/journal-lines.ts'
import type { JournaledRecords } from '../journal/journaled-records.ts'
import { withStorageLock } from '../write-lock.ts'
import type { AccountMirror } from './mirror.ts'
import { takeOver } from './take-over.ts'
import { isWhole } from './whole.ts'

/** The database's side. `requireOpen` throws once the account is closed. */
interface Side {
  readonly address: string
  readonly records: JournaledRecords
  readonly requireOpen: () => void
  /** Told how many records the journal gave. */
  readonly brought: (records: number) => void
}

/**
 * Copies what only one side has to the other. Both have counted the same changes, so nothing was deleted.
 * @param there the keys of everything in the journal; ends up with those that only it has
 */
export async function compareRecords(
  { address, records, requireOpen, brought }: Side,
  mirror: AccountMirror,
  known: JournalListing,
  there: Set<RecordKey>,
): Promise<void> {
  const here: RecordKey[] = []
  for (const store of JOURNALED) {
    for await (const keys of records.keys(store)) {
      requireOpen()
      for (const key of keys) {
        if (!there.delete(key)) here.push(key)
      }
      await breathe()
    }
  }
  if (here.length === 0 && there.size === 0) return
  await withStorageLock(address, async () => {
    requireOpen()
    // Changes since the files were listed are in newer files, and already in the database.
    const listing = await mirror.journal.list()
    // A change that never reached the files may have deleted what they still contain.
    if (!isWhole(listing, await records.readMark())) throw new Error('a change came between that it has not')
    const newer = await mirror.journal.read(listing, known.last)
    for (const key of newer.entries.keys()) there.delete(key)
    if (there.size > 0) {
      const { entries, damaged } = await mirror.journal.read(known)
      if (damaged.length > 0) throw new Error('a file went bad while it was read')
      for (const key of entries.keys()) if (!there.has(key)) entries.delete(key)
      const { changed } = await takeOver(records, { entries, mode: 'join' })
      brought(changed)
    }
    const lines: string[] = []
    for (const [key, record] of await records.find(here.filter((key) => !newer.entries.has(key)))) {
      const line = putLine(key, record)
      if (line !== undefined) lines.push(line)
    }
    if (lines.length === 0) return
    const mark = await records.nextMark()
    if (mark) await mirror.journal.write({ journal: mark.journal, first: mark.seq, last: mark.seq }, lines)
  })
}
