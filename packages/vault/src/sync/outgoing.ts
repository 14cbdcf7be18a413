// Changes that were made here, as operations of this device.
import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { isShared, MARK_PREFIX, markId, markOf } from '../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../storage/schema.ts'
import { callDevice, isRefused } from './device-calls.ts'
import { toStore } from './stored-records.ts'
import { deletedThing, readable, type Stored, storedOf, type Thing, thingOf } from './things.ts'

/** Changes that become operations in one transaction. */
const AT_ONCE = 50
/** Refusals of one change that trying again doesn't help: too long, or not for this device. */
const NEVER = ['TooMany', 'NotAllowed', 'Limited']
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

/**
 * Writes an operation for each change, stores the operations, and deletes the marks with them.
 * @param isStopped checked between transactions
 * @returns the marks of changes that can't be written
 * @throws VaultError; then the device has to be opened again, because it may have written what was not stored
 */
export async function writeMarked(
  parts: Outgoing,
  marks: readonly Mark[],
  isStopped: () => boolean,
): Promise<readonly Mark[]> {
  const tooLong: Mark[] = []
  let tokens: ReadonlyMap<string, string> | undefined
  for (let at = 0; at < marks.length && !isStopped(); at += AT_ONCE) {
    const portion = marks.slice(at, at + AT_ONCE)
    const found = await findMarked(parts.storage, portion)
    if (tokens === undefined && portion.some((each, index) => each.store === 'tokens' && !found[index]))
      tokens = await tokenThings(parts)
    const records: string[] = []
    const written: Mark[] = []
    for (const [index, each] of portion.entries()) {
      const stored = found[index]
      const thing = stored ? thingOf(stored) : deletedThing(each.store, each.of, (id) => tokens?.get(id))
      try {
        if (thing) records.push(...(await write(parts.enclave, thing)))
        written.push(each)
      } catch (error) {
        if (!NEVER.some((name) => isRefused(error, name))) throw error
        tooLong.push(each)
      }
    }
    await keep(parts, records, written)
  }
  return tooLong
}

async function write(enclave: Enclave, { kind, id, value }: Thing): Promise<readonly string[]> {
  const input = { thing: kind, id, ...(value !== undefined && { value }) }
  return (await callDevice(enclave, 'write_change', input)).records
}

/** Stores operations, and deletes their marks unless the record was changed again. */
async function keep(
  { storage, now }: Outgoing,
  records: readonly string[],
  marks: readonly Mark[],
): Promise<void> {
  const metadata = await toStore(storage.address, records, now())
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
  await storage.exchange(ids, (found) => {
    for (const store of ['tokens', 'sessions', 'metadata'] as const) {
      ids[store].forEach((id, index) => {
        const stored = readable(store, found[store][index])
        if (stored) here.set(markId(store, id), stored)
      })
    }
    return {}
  })
  return marks.map(({ id }) => here.get(id))
}

function idsOf(marks: readonly Mark[], store: Mark['store']): string[] {
  return marks.filter((each) => each.store === store).map(({ of }) => of)
}

/** By the id of its record, the id of each token's thing: a deleted token is no longer here to be asked. */
async function tokenThings({ enclave, storage }: Outgoing): Promise<ReadonlyMap<string, string>> {
  const things = new Map<string, string>()
  let after: string | undefined
  for (;;) {
    const read = await callDevice(enclave, 'read_things', {
      thing: 'token',
      ...(after !== undefined && { after }),
    })
    for (const { id, value, older } of read.things) {
      const text = value ?? older
      const stored = text === null ? undefined : storedOf({ kind: 'token', id, value: text }, storage.address)
      if (stored?.store === 'tokens') things.set(stored.record.id, id)
    }
    after = read.things.at(-1)?.id
    if (read.is_all || after === undefined) return things
  }
}

/**
 * Marks everything that the account has and no device has written: after its first device was made, or if what it had
 * written is lost.
 * @param isKnown whether a device has written it
 */
export async function markUnknown(
  { storage, now }: Outgoing,
  isKnown: (thing: Thing) => boolean,
  isStopped: () => boolean,
): Promise<void> {
  const unknown = async (stored: readonly Stored[]) => {
    const marks: MetadataRecord[] = stored
      .filter((each) => !isKnown(thingOf(each)))
      .map(({ store, record: { id } }) => ({ ...markOf(storage.address, store, id), updatedAt: now() }))
    if (marks.length > 0) await storage.exchange({}, () => ({ metadata: marks }))
  }
  for await (const page of storage.tokenPages(RECORDS_AT_ONCE)) {
    if (isStopped()) return
    await unknown(page.map((record) => ({ store: 'tokens', record })))
  }
  await unknown((await storage.readSessions()).map((record) => ({ store: 'sessions', record })))
  for await (const page of storage.metadataPages(RECORDS_AT_ONCE)) {
    if (isStopped()) return
    const shared = page.filter(({ key }) => isShared('metadata', key))
    await unknown(shared.map((record) => ({ store: 'metadata', record })))
  }
}
