import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { metadataRecord } from '../../storage/schema.ts'
import { callDevice, type DeviceAnswer, type DeviceStatus } from '../device-calls.ts'
import {
  MOST_AT_ONCE,
  RECORD_PREFIX,
  readStored,
  type StoredPage,
  type StoredRecords,
} from './stored-records.ts'

/** Marks that are written in one transaction, with their records. */
const MARKS_AT_ONCE = 200

/** What is handed to the enclave in one call. */
interface Call {
  readonly records: string[]
  readonly pages: StoredPage[]
}

/** What is stored, in as few calls as the plugin takes, and in its order. */
export function inCalls({ others, pages }: Pick<StoredRecords, 'others' | 'pages'>): readonly Call[] {
  let call: Call = { records: [], pages: [] }
  const calls = [call]
  let length = 0
  const next = (added: number): Call => {
    length += added
    if (length > MOST_AT_ONCE && length > added) {
      call = { records: [], pages: [] }
      calls.push(call)
      length = added
    }
    return call
  }
  for (const record of others) next(record.length).records.push(record)
  for (const page of pages) {
    const added = page.records.reduce((sum, record) => sum + record.length, 0)
    next(added).pages.push(page)
  }
  return calls
}

/**
 * Opens the device from what is stored: at first, and after anything failed, because the enclave may have more than the
 * storage. If the places don't fit each other, the relay once went back and was not read to its end since: then it is
 * read from the beginning.
 * @returns how far the device is, and whether the places fit each other
 * @throws VaultError
 */
export async function openStored(
  enclave: Enclave,
  storage: OpenStorage,
): Promise<{ readonly status: DeviceStatus; readonly fits: boolean }> {
  const { marks, ...stored } = await readStored(storage)
  const [first = { records: [], pages: [] }, ...further] = inCalls(stored)
  let status = await callDevice(enclave, 'open_device', { ...first, marks })
  let { fits } = status
  const made = [...status.marks]
  for (const { records, pages } of further) {
    // What comes after a gap has no place.
    const rest = fits
      ? { records, pages }
      : { records: [...records, ...pages.flatMap((page) => page.records)] }
    status = await callDevice(enclave, 'open_device', { ...rest, marks, goes_on: true })
    made.push(...status.marks)
    fits &&= status.fits
  }
  // Without them, the signatures are checked again the next time.
  await keepMarks(storage, made).catch(() => undefined)
  return { status, fits }
}

async function keepMarks(
  storage: Pick<OpenStorage, 'exchange'>,
  marks: DeviceAnswer<'open_device'>['marks'],
): Promise<void> {
  for (let at = 0; at < marks.length; at += MARKS_AT_ONCE) {
    const some = marks.slice(at, at + MARKS_AT_ONCE)
    await storage.exchange({ metadata: some.map(({ id }) => RECORD_PREFIX + id) }, (found) => {
      const records = found.metadata.map((record) => v.safeParse(metadataRecord, record))
      const ofId = new Map(some.map(({ id, mark }) => [RECORD_PREFIX + id, mark]))
      const metadata = records.flatMap(({ success, output }) =>
        success ? [{ ...output, mark: ofId.get(output.id) }] : [],
      )
      return { metadata }
    })
  }
}
