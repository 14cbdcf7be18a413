// Changes that were made here, as operations of this device.

import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { isShared, MARK_PREFIX, markId, markOf } from '../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../storage/schema.ts'
import { type DeviceStatus, readThings, writeThings } from './device-calls.ts'
import { findStored } from './find-stored.ts'
import type { LinesToWrite } from './lines/outgoing-lines.ts'
import { toStore } from './stored/stored-records.ts'
import {
  deletedThing,
  metadataThing,
  readable,
  type Stored,
  storedOf,
  type Thing,
  thingOf,
} from './things.ts'

/** Changes that become operations in one transaction. */
const AT_ONCE = 1_000
/** In characters together, unless there is only one: the plugin takes 16 MiB. */
const MOST_AT_ONCE = 4 << 20
/** Records read from the storage at once. */
const RECORDS_AT_ONCE = 500

const mark = v.looseObject({
  ...metadataRecord.entries,
  store: v.picklist(['tokens', 'sessions', 'metadata']),
  of: v.string(),
})
export type Mark = v.InferOutput<typeof mark>

export interface Outgoing {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly now: () => number
}

/** The changes that are yet to be written as operations. */
export async function readMarks(storage: Pick<OpenStorage, 'readMetadataUnder'>): Promise<Mark[]> {
  const found = await storage.readMetadataUnder(MARK_PREFIX)
  return found.flatMap((record) => (v.is(mark, record) && isShared(record.store, record.of) ? [record] : []))
}

/** What became of marked changes. */
export interface WrittenMarks {
  /** Marks of changes that can't be written. */
  readonly tooLong: readonly Mark[]
  /** What can't be deleted, and was deleted here. */
  readonly back: readonly Pick<Thing, 'kind' | 'id'>[]
  /** How far the device is; undefined if there was nothing to write. */
  readonly status: DeviceStatus | undefined
}

/** A change, and the thing to write for it, if it leaves any. */
interface Marked {
  readonly mark: Mark
  readonly thing: Thing | undefined
}

/**
 * Writes operations for changes, many in one record, stores the records, and deletes the marks with them.
 * @param lines lines of the log, which are written with the last of them
 * @param isStopped checked between transactions
 * @throws VaultError; then the device has to be opened again, because it may have written what was not stored
 */
export async function writeMarked(
  parts: Outgoing,
  marks: readonly Mark[],
  lines: LinesToWrite | undefined,
  isStopped: () => boolean,
): Promise<WrittenMarks> {
  const tooLong: Mark[] = []
  const back: Pick<Thing, 'kind' | 'id'>[] = []
  let status: DeviceStatus | undefined
  let tokens: ReadonlyMap<string, string> | undefined
  for (let at = 0; at < marks.length || (lines && at === 0); at += AT_ONCE) {
    const portion = marks.slice(at, at + AT_ONCE)
    const found = await findMarked(parts.storage, portion)
    if (tokens === undefined && portion.some((each, index) => each.store === 'tokens' && !found[index]))
      tokens = await tokenThings(parts)
    const all = portion.map((mark, index): Marked => {
      const stored = found[index]
      const thing = stored ? thingOf(stored) : deletedThing(mark.store, mark.of, (id) => tokens?.get(id))
      return { mark, thing }
    })
    const several = inParts(all)
    if (several.length === 0) several.push([])
    const last = at + AT_ONCE >= marks.length ? several.at(-1) : undefined
    for (const part of several) {
      if (isStopped()) return { tooLong, back, status }
      const written = await writePart(parts, part, part === last ? lines : undefined)
      tooLong.push(...written.tooLong)
      back.push(...written.back)
      status = written.status ?? status
    }
  }
  return { tooLong, back, status }
}

/** As many as fit in one call. */
function inParts(all: readonly Marked[]): Marked[][] {
  const parts: Marked[][] = []
  let length = 0
  for (const each of all) {
    const own = (each.thing?.value?.length ?? 0) + (each.thing?.id.length ?? 0)
    length += own
    const last = parts.at(-1)
    if (last && length <= MOST_AT_ONCE) last.push(each)
    else {
      parts.push([each])
      length = own
    }
  }
  return parts
}

async function writePart(
  parts: Outgoing,
  part: readonly Marked[],
  lines: LinesToWrite | undefined,
): Promise<WrittenMarks> {
  const withThing = part.flatMap(({ mark, thing }) => (thing ? [{ mark, thing }] : []))
  const back = part.flatMap(({ mark, thing }) =>
    thing === undefined && mark.store === 'metadata' ? [metadataThing(mark.of)] : [],
  )
  const done = new Set(part.map(({ mark }) => mark))
  const things = [...withThing.map(({ thing }) => thing), ...(lines?.things ?? [])]
  if (things.length === 0) {
    await keep(parts, [], [...done], lines)
    return { tooLong: [], back, status: undefined }
  }
  const { records, refused, device } = await writeThings(parts.enclave, things)
  const tooLong = refused.flatMap(({ at }) => withThing[at]?.mark ?? [])
  for (const mark of tooLong) done.delete(mark)
  await keep(parts, records, [...done], lines)
  return { tooLong, back, status: device }
}

/** Stores operations, and deletes their marks unless the record was changed again. */
async function keep(
  { storage, now }: Outgoing,
  records: readonly string[],
  marks: readonly Mark[],
  lines: LinesToWrite | undefined,
): Promise<void> {
  const metadata = await toStore(storage.address, records, now())
  if (lines) metadata.push(lines.record)
  await storage.exchange({ metadata: marks.map(({ id }) => id) }, (found) => {
    const isSame = (each: Mark, index: number) =>
      v.is(mark, found.metadata[index]) && sealedOf(found.metadata[index]) === each.sealed
    return { metadata, removed: { metadata: marks.filter(isSame).map(({ id }) => id) } }
  })
}

function sealedOf(record: unknown): string | undefined {
  return v.is(mark, record) ? record.sealed : undefined
}

/** What is stored for each mark, read in one transaction. */
async function findMarked(storage: OpenStorage, marks: readonly Mark[]): Promise<(Stored | undefined)[]> {
  const ids = {
    tokens: idsOf(marks, 'tokens'),
    sessions: idsOf(marks, 'sessions'),
    metadata: idsOf(marks, 'metadata'),
  }
  const here = new Map<string, Stored>()
  const found = await findStored(storage, ids)
  for (const store of ['tokens', 'sessions', 'metadata'] as const) {
    ids[store].forEach((id, index) => {
      const stored = readable(store, found[store][index])
      if (stored) here.set(markId(store, id), stored)
    })
  }
  return marks.map(({ id }) => here.get(id))
}

function idsOf(marks: readonly Mark[], store: Mark['store']): string[] {
  return marks.filter((each) => each.store === store).map(({ of }) => of)
}

/** By the id of its record, the id of each token's thing: a deleted token is no longer here to be asked. */
async function tokenThings({ enclave, storage }: Outgoing): Promise<ReadonlyMap<string, string>> {
  const things = new Map<string, string>()
  for await (const page of readThings(enclave, 'token')) {
    for (const { id, value, older } of page) {
      const text = value ?? older
      const stored = text === null ? undefined : storedOf({ kind: 'token', id, value: text }, storage.address)
      if (stored?.store === 'tokens') things.set(stored.record.id, id)
    }
  }
  return things
}

/**
 * Marks everything that the account has and no device has written: after its first device was made, or if what it had
 * written is lost.
 * @param isKnown whether a device has written it
 * @returns whether that was all of it: not if it was stopped
 */
export async function markUnknown(
  { storage, now }: Outgoing,
  isKnown: (thing: Thing) => boolean,
  isStopped: () => boolean,
): Promise<boolean> {
  const unknown = async (stored: readonly Stored[]) => {
    const marks: MetadataRecord[] = stored
      .filter((each) => !isKnown(thingOf(each)))
      .map(({ store, record: { id } }) => ({ ...markOf(storage.address, store, id), updatedAt: now() }))
    if (marks.length > 0) await storage.exchange({}, () => ({ metadata: marks }))
  }
  for await (const page of storage.tokenPages(RECORDS_AT_ONCE)) {
    if (isStopped()) return false
    await unknown(page.map((record) => ({ store: 'tokens', record })))
  }
  await unknown((await storage.readSessions()).map((record) => ({ store: 'sessions', record })))
  for await (const page of storage.metadataPages(RECORDS_AT_ONCE)) {
    if (isStopped()) return false
    const shared = page.filter(({ key }) => isShared('metadata', key))
    await unknown(shared.map((record) => ({ store: 'metadata', record })))
  }
  return !isStopped()
}
