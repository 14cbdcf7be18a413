// What compares the database with the journal, and gives each what it lacks, in one part that is loaded when that is due (087).
export { bringBack } from './bring-back.ts'
export { compareRecords } from './compare-records.ts'
export { endFollowing, followJournal } from './follow-journal.ts'
export { dropStaged, publishStaged, StagedRecords } from './staged-records.ts'
export { takeOver } from './take-over.ts'
export { Unfollowed } from './unfollowed.ts'
