import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { FoundRecords, RecordIds } from '../storage/account/state-batch.ts'

/** Reads records by id, and writes nothing. @returns those that exist, unparsed, in order */
export async function findStored(
  storage: Pick<OpenStorage, 'exchange'>,
  ids: RecordIds,
): Promise<FoundRecords> {
  let all: FoundRecords = { tokens: [], sessions: [], metadata: [] }
  await storage.exchange(ids, (found) => {
    all = found
    return {}
  })
  return all
}
