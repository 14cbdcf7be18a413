// The rules that all stores of records share.
import { createHash } from 'node:crypto'
import type { Bounds } from '../bounds.ts'
import type { Appended, NewRecord, PlacedRecord } from './store.ts'

/** An account's counts. */
export interface AccountRecords {
  /** Also the place of the last record. */
  readonly records: number
  readonly heads: number
  readonly bytes: number
}

export const NO_RECORDS: AccountRecords = { records: 0, heads: 0, bytes: 0 }

/** Maximum size of a page, in bytes. A single longer record is still read. */
export const PAGE_BYTES = 4 << 20

/** Two records with the same bytes are the same. */
export const recordId = (record: Uint8Array) => createHash('sha256').update(record).digest('base64url')

/** Why a record can't be appended; undefined if it can. */
export function refusal(
  { record, headsRead }: NewRecord,
  { records, heads, bytes }: AccountRecords,
  bytesOfAll: number,
  bounds: Bounds,
): Appended | undefined {
  if (headsRead !== undefined && headsRead !== heads) return { result: 'conflict' }
  const isFull = records >= bounds.recordsPerAccount || bytes + record.length > bounds.recordBytesPerAccount
  if (isFull) return { result: 'full', limit: 'account' }
  return bytesOfAll + record.length > bounds.recordBytes ? { result: 'full', limit: 'relay' } : undefined
}

/** An account's counts after adding a record. */
export function withRecord(
  { records, heads, bytes }: AccountRecords,
  { record, headsRead }: NewRecord,
): AccountRecords {
  return {
    records: records + 1,
    heads: heads + (headsRead === undefined ? 0 : 1),
    bytes: bytes + record.length,
  }
}

/** The records that fit in a page. */
export function page(records: Iterable<PlacedRecord>, limit: number): PlacedRecord[] {
  const fitting: PlacedRecord[] = []
  let bytes = 0
  for (const each of records) {
    bytes += each.record.length
    if (fitting.length >= limit || (fitting.length > 0 && bytes > PAGE_BYTES)) break
    fitting.push(each)
  }
  return fitting
}
