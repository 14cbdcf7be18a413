// What devices have written, as records of this account.

import type { Enclave } from '@keyhole/enclave'
import type { VaultChange } from '../base/events.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { FoundRecords, StateBatch } from '../storage/account/state-batch.ts'
import { markId, receivedRecord } from '../storage/devices/device-marks.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { callDevice, type ReadThing, readThings } from './device-calls.ts'
import { findStored } from './find-stored.ts'
import {
  isAlike,
  isSame,
  RECORD_KINDS,
  type RecordKind,
  readable,
  type Stored,
  storedOf,
  type Unread,
  unreadOf,
} from './things.ts'

/** Records that are compared and written in one transaction. */
const AT_ONCE = 200
/** Records that are only read in one transaction. */
const READ_AT_ONCE = 500
/** Things that the plugin is asked for by id at once: it answers with as many. */
const IDS_AT_ONCE = 1_000

export interface Incoming {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly isStopped: () => boolean
}

/** What was taken, and every thing that was looked at. */
export interface TakenIn {
  readonly changed: ReadonlySet<VaultChange>
  /** `<kind>:<id>`, deleted ones too. */
  readonly known: ReadonlySet<string>
}

/** Things that were changed, by kind; `all` if any may have been. */
export type News = 'all' | ReadonlyMap<string, ReadonlySet<string>>

const CHANGES: Readonly<Record<RecordKind, readonly VaultChange[]>> = {
  // It ends a mandate.
  revocation: ['tokens', 'mandates'],
  token: ['tokens'],
  receipt: ['tokens'],
  contact: ['contacts'],
  payment: ['payments'],
  session: ['sessions'],
  // Which device counts a mandate is one too.
  setting: ['settings', 'templates', 'handovers', 'mandates'],
}

/** What a thing asks for here: a record to be as it says, or to be gone. */
interface Wanted {
  readonly store: Stored['store']
  readonly id: string
  readonly stored: Stored | undefined
  /** The record that was deleted, if it is to be gone. */
  readonly gone?: Stored
}

/**
 * Makes the account's records what devices have written. Leaves alone what was changed here and is yet to be written as
 * an operation. If it's stopped halfway, the next time does the rest. Revocations come first.
 * @param news what to compare
 * @throws VaultError
 */
export async function takeIn(parts: Incoming, news: News): Promise<TakenIn> {
  const changed = new Set<VaultChange>()
  const known = new Set<string>()
  for (const kind of RECORD_KINDS) {
    for await (const things of newThings(parts, kind, news)) {
      for (const { id } of things) known.add(`${kind}:${id}`)
      const unlike = news === 'all' ? await unlikeStored(parts, kind, things) : things
      const wanted = unlike.flatMap((each) => wantedOf(parts, kind, each) ?? [])
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        if (parts.isStopped()) return { changed, known }
        if (!(await takeSome(parts, wanted.slice(at, at + AT_ONCE)))) continue
        for (const change of CHANGES[kind]) changed.add(change)
      }
    }
  }
  return { changed, known }
}

/** The things of a kind that may be different here, some at a time. */
export async function* newThings(
  { enclave, isStopped }: Pick<Incoming, 'enclave' | 'isStopped'>,
  kind: RecordKind | 'line',
  news: News,
): AsyncGenerator<readonly ReadThing[]> {
  if (news !== 'all') {
    const ids = [...(news.get(kind) ?? [])]
    for (let at = 0; at < ids.length && !isStopped(); at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE)
      yield (await callDevice(enclave, 'read_things', { thing: kind, ids: some })).things
    }
    return
  }
  if (isStopped()) return
  for await (const things of readThings(enclave, kind)) {
    yield things
    if (isStopped()) return
  }
}

/**
 * Those that aren't stored as they are. After an unlock, that is few of all: they alone are parsed and compared in a transaction that writes.
 * What is left out here would be left as it is there too.
 */
async function unlikeStored(
  { storage, isStopped }: Incoming,
  kind: RecordKind,
  things: readonly ReadThing[],
): Promise<readonly ReadThing[]> {
  const unlike: ReadThing[] = []
  for (let at = 0; at < things.length && !isStopped(); at += READ_AT_ONCE) {
    const some = things.slice(at, at + READ_AT_ONCE)
    const unread = some.map(({ id, value }) =>
      value === null ? undefined : unreadOf({ kind, id, value }, storage.address),
    )
    const known = unread.filter((each) => each !== undefined)
    if (known.length === 0) {
      unlike.push(...some)
      continue
    }
    const idsOf = (store: Unread['store']) => known.flatMap((each) => (each.store === store ? [each.id] : []))
    const here = await findStored(storage, { tokens: idsOf('tokens'), metadata: idsOf('metadata') })
    const next = { tokens: 0, metadata: 0 }
    for (const [index, thing] of some.entries()) {
      const each = unread[index]
      const stored = each && here[each.store][next[each.store]]
      if (each) next[each.store] += 1
      if (!each || !isAlike(each.record, stored)) unlike.push(thing)
    }
  }
  return unlike
}

function wantedOf(
  { storage }: Incoming,
  kind: RecordKind,
  { id, value, older }: ReadThing,
): Wanted | undefined {
  const text = value ?? older
  if (text === null) return undefined
  const stored = storedOf({ kind, id, value: text }, storage.address)
  if (stored === undefined) return undefined
  if ('endedId' in stored) return { store: 'sessions', id: stored.endedId, stored: undefined }
  const about = { store: stored.store, id: stored.record.id }
  return value === null ? { ...about, stored: undefined, gone: stored } : { ...about, stored }
}

/** @returns whether anything was different here */
async function takeSome(parts: Incoming, wanted: readonly Wanted[]): Promise<boolean> {
  const first = await write(parts, wanted)
  if (first.unknown.length === 0) return first.isDifferent
  return (await write(parts, wanted, await twinsOf(parts, first.unknown))).isDifferent
}

/** A token that a device told of. */
interface Told {
  readonly id: string
  readonly record: TokenRecord
}

/** The ids under which the same tokens were stored here before this device read of them, by the ids that are wanted. */
async function twinsOf(
  { storage }: Incoming,
  unknown: readonly Told[],
): Promise<ReadonlyMap<string, string>> {
  const same = await storage.sameTokens(unknown.map(({ record }) => record))
  return new Map(
    unknown.flatMap(({ id, record }) => {
      const twin = same.get(record.cid ?? '')
      return twin ? [[id, twin.id]] : []
    }),
  )
}

/** The tokens that aren't stored under their ids. @param here what is stored under them, in their order */
function unknownOf(wanted: readonly Wanted[], here: FoundRecords['tokens']): Told[] {
  const tokens = wanted.filter(({ store }) => store === 'tokens')
  return tokens.flatMap(({ id, stored, gone }, index) => {
    const told = stored ?? gone
    const isUnknown = here[index] === undefined && told?.store === 'tokens' && told.record.cid !== undefined
    return isUnknown ? [{ id, record: told.record }] : []
  })
}

/**
 * @param twins of the tokens that aren't stored under their ids. Default: not looked for yet, and nothing is written if there are such tokens
 * @returns whether anything was different here, and the tokens whose twins have to be looked for
 */
async function write(
  { storage, now }: Incoming,
  wanted: readonly Wanted[],
  twins?: ReadonlyMap<string, string>,
): Promise<{ readonly isDifferent: boolean; readonly unknown: readonly Told[] }> {
  let isDifferent = false
  let unknown: readonly Told[] = []
  const idsOf = (store: Stored['store']) => wanted.filter((each) => each.store === store).map(({ id }) => id)
  const marks = wanted.map(({ store, id }) => markId(store, id))
  marks.push(...wanted.flatMap(({ id }) => twins?.get(id) ?? []).map((id) => markId('tokens', id)))
  const ids = {
    tokens: idsOf('tokens'),
    sessions: idsOf('sessions'),
    metadata: [...marks, ...idsOf('metadata')],
  }
  await storage.exchange(ids, (found) => {
    unknown = twins ? [] : unknownOf(wanted, found.tokens)
    if (unknown.length > 0) return {}
    const batch = differences(wanted, found, { marks, twins: twins ?? new Map(), now: now() })
    isDifferent = batch !== undefined
    return batch
      ? { ...batch, metadata: [...(batch.metadata ?? []), receivedRecord(storage.address, now())] }
      : {}
  })
  return { isDifferent, unknown }
}

interface Among {
  /** The marks that were asked for, before the metadata itself: one for each that is wanted, then those of twins. */
  readonly marks: readonly string[]
  readonly twins: ReadonlyMap<string, string>
  readonly now: number
}

function differences(
  wanted: readonly Wanted[],
  found: FoundRecords,
  { marks, twins, now }: Among,
): StateBatch | undefined {
  const isMarked = new Set(marks.filter((_, index) => found.metadata[index] !== undefined))
  const here = {
    tokens: found.tokens,
    sessions: found.sessions,
    metadata: found.metadata.slice(marks.length),
  }
  const next = { tokens: 0, sessions: 0, metadata: 0 }
  const put: { [S in Stored['store']]: Extract<Stored, { store: S }>['record'][] } = {
    tokens: [],
    sessions: [],
    metadata: [],
  }
  const removed: Record<Stored['store'], string[]> = { tokens: [], sessions: [], metadata: [] }
  for (const { store, id, stored } of wanted) {
    const before = here[store][next[store]]
    next[store] += 1
    const twin = twins.get(id)
    if (isMarked.has(markId(store, id)) || (twin !== undefined && isMarked.has(markId('tokens', twin))))
      continue
    if (stored === undefined) {
      if (before !== undefined) removed[store].push(id)
      if (twin !== undefined) removed.tokens.push(twin)
      continue
    }
    const own = readable(store, before)
    if (own && isSame(own, stored)) continue
    // What has expired by this device's clock is not brought back. It's asked for again each time.
    if (before === undefined && isOver(stored, now)) continue
    if (stored.store === 'tokens') put.tokens.push(stored.record)
    else if (stored.store === 'sessions') put.sessions.push(stored.record)
    else put.metadata.push(stored.record)
    if (twin !== undefined) removed.tokens.push(twin)
  }
  const isEmpty = [put, removed].every((each) => Object.values(each).every((list) => list.length === 0))
  return isEmpty ? undefined : { ...put, removed }
}

function isOver({ store, record }: Stored, now: number): boolean {
  return store !== 'metadata' && record.expiresAt !== undefined && record.expiresAt < now
}
