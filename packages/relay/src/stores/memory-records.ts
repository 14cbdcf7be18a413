import type { Bounds } from '../bounds.ts'
import type { Hints } from './hints.ts'
import { type AccountRecords, NO_RECORDS, page, recordId, refusal, withRecord } from './record-limits.ts'
import type { PlacedRecord, RelayStore } from './store.ts'

interface Account {
  has: AccountRecords
  readonly records: PlacedRecord[]
  /** Place of each record by its id. */
  readonly places: Map<string, number>
}

export function memoryRecords(
  bounds: Bounds,
  hints: Hints,
): Pick<RelayStore, 'appendRecord' | 'recordsFrom'> {
  const accounts = new Map<string, Account>()
  let bytesOfAll = 0
  return {
    async appendRecord(added) {
      const { account, record } = added
      const known: Account = accounts.get(account) ?? { has: NO_RECORDS, records: [], places: new Map() }
      const id = recordId(record)
      const there = known.places.get(id)
      if (there !== undefined) return { result: 'known', place: there }
      const refused = refusal(added, known.has, bytesOfAll, bounds)
      if (refused) return refused
      known.has = withRecord(known.has, added)
      const place = known.has.records
      known.records.push({ place, record: Uint8Array.from(record) })
      known.places.set(id, place)
      accounts.set(account, known)
      bytesOfAll += record.length
      hints.emit({ account })
      return { result: 'appended', place }
    },
    recordsFrom: async (account, place, limit) =>
      page(accounts.get(account)?.records.slice(place - 1) ?? [], limit),
  }
}
