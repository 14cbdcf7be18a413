import * as v from 'valibot'
import { fromBase64Url, isBase64Url, toBase64Url } from '../../base/base64url.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { DEVICE_PREFIX } from '../../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../../storage/schema.ts'

/** Records of devices are metadata with this prefix and the record's id. */
export const RECORD_PREFIX = `${DEVICE_PREFIX}record:`

/** Records in one call of the plugin, in characters together: it takes 16 MiB. */
export const MOST_AT_ONCE = 8 << 20

/** With any other text the enclave refuses the whole call. */
const bytesText = v.pipe(
  v.string(),
  v.check((text) => isBase64Url(text)),
)

const storedRecord = v.looseObject({
  ...metadataRecord.entries,
  sealed: bytesText,
  /** Its place in the relay's list, once it was read there. */
  place: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** For the first of a page: the relay's digest of all records before it. */
  before: v.optional(bytesText),
  /** Says that this device has checked its signature. Only this device's enclave can make one, or use it. */
  mark: v.optional(v.string()),
})

/** Bytes of a mark: the enclave refuses a call with anything else. */
const MARK = 16

/** A part of the relay's list, as it was read. */
export interface StoredPage {
  readonly before: string
  /** In base64url. */
  readonly records: readonly string[]
}

/** What a device has stored. */
export interface StoredRecords {
  /** The relay's list from its first place on, as far as all of it is stored. */
  readonly pages: readonly StoredPage[]
  /** All others: those that were not read from the relay first, as they were written. They may be nowhere else. */
  readonly others: readonly string[]
  /** Of those whose signature was checked before. */
  readonly marks: readonly string[]
}

/** A record's first byte is 1, in base64url with the first half of the next byte: it's a head. */
const HEAD = /^A[Q-Za-f]/

/** Whether a record is a head. @param record in base64url */
export function isHead(record: string): boolean {
  return HEAD.test(record)
}

/**
 * Whether a record names these 32 bytes where anyone can read it: its author, a head before it, or a head that it joins.
 * @param record in base64url @param id in base64url
 */
export function names(record: string, id: string): boolean {
  const [all, part] = [record, id].map((text) => {
    const bytes = fromBase64Url(text) ?? new Uint8Array()
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  })
  return part !== undefined && part !== '' && (all ?? '').includes(part)
}

/** Whether a record is a head that names a device: as one of the account's, or as one that was removed. */
export function isHeadNaming(record: string, device: string): boolean {
  return isHead(record) && names(record, device)
}

/** The id of a record. @param record in base64url */
export async function recordIdOf(record: string): Promise<string> {
  const bytes = fromBase64Url(record) ?? new Uint8Array()
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Metadata for records that were written here, and are yet to be sent. */
export async function toStore(
  address: string,
  records: readonly string[],
  now: number,
): Promise<MetadataRecord[]> {
  return await Promise.all(
    records.map(async (record) => {
      const key = RECORD_PREFIX + (await recordIdOf(record))
      return { id: key, accountAddress: address, key, updatedAt: now, sealed: record }
    }),
  )
}

/**
 * Metadata for a page of the relay's list.
 * @param from the place of its first record @param isWanted whether the device stores a record, by its id
 */
export async function pageToStore(
  address: string,
  { before, records }: StoredPage,
  from: number,
  isWanted: (id: string) => boolean,
  now: number,
): Promise<MetadataRecord[]> {
  const all = await toStore(address, records, now)
  return all.flatMap((record, index) => {
    if (!isWanted(record.key.slice(RECORD_PREFIX.length))) return []
    return [{ ...record, place: from + index, ...(index === 0 && { before }) }]
  })
}

/**
 * Stores a page of the relay's list, once the enclave has taken it in.
 * @param from the place of its first record @param wanted ids of the records that the device stores
 */
export async function keepPage(
  storage: OpenStorage,
  page: StoredPage,
  from: number,
  wanted: readonly string[],
  now: number,
): Promise<void> {
  const ids = new Set(wanted)
  const metadata = await pageToStore(storage.address, page, from, (id) => ids.has(id), now)
  if (metadata.length > 0) await storage.exchange({}, () => ({ metadata }))
}

/** Reads what is stored. Nothing that is damaged stops it: the relay has it, or another device. */
export async function readStored(storage: Pick<OpenStorage, 'readMetadataUnder'>): Promise<StoredRecords> {
  const found = await storage.readMetadataUnder(RECORD_PREFIX)
  const records = found.flatMap((record) => {
    const parsed = v.safeParse(storedRecord, record)
    return parsed.success ? [parsed.output] : []
  })
  const placed = records.filter(({ place }) => place !== undefined)
  placed.sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
  const pages: { before: string; records: string[] }[] = []
  const inPages = new Set<string>()
  let next = 1
  let length = 0
  for (const { id, place = 0, before, sealed } of placed) {
    // The relay once had another record in this place.
    if (place < next) continue
    const page = pages.at(-1)
    // A page goes on where no digest says that another one begins.
    if (place > next || (before === undefined && (!page || length + sealed.length > MOST_AT_ONCE))) break
    if (before !== undefined) {
      pages.push({ before, records: [] })
      length = 0
    }
    pages.at(-1)?.records.push(sealed)
    length += sealed.length
    inPages.add(id)
    next += 1
  }
  const others = records.filter(({ id }) => !inPages.has(id))
  others.sort(
    (one, other) =>
      Number(one.place !== undefined) - Number(other.place !== undefined) || one.updatedAt - other.updatedAt,
  )
  const marks = records.flatMap(({ mark = '' }) => (isBase64Url(mark, MARK) ? [mark] : []))
  return { pages, others: others.map(({ sealed }) => sealed), marks }
}

/** Whether a stored head names a device. Only then it can tell that it was removed: an earlier head doesn't know it yet. */
export async function wasNamed(
  storage: Pick<OpenStorage, 'readMetadataUnder'>,
  device: string,
): Promise<boolean> {
  const { pages, others } = await readStored(storage)
  const lists = [others, ...pages.map(({ records }) => records)]
  return lists.some((records) => records.some((record) => isHeadNaming(record, device)))
}
