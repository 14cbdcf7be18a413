import type { JournalListing } from '../journal/journal.ts'
import type { JournalMark } from '../schema.ts'

/** Whether every change up to the database's last is there exactly once. */
export function isWhole(
  { journal, last, gaps, mixed }: JournalListing,
  mark: JournalMark | undefined,
): boolean {
  return mark !== undefined && journal === mark.journal && last >= mark.seq && gaps === 0 && !mixed
}
