import * as v from 'valibot'
import type { Clock } from '../../base/clock.ts'
import { revisionOf } from '../../enclave/revision.ts'
import { breathe } from '../journal/journal.ts'
import { parseKey, type RecordKey } from '../journal/journal-lines.ts'
import { decodeValue } from '../journal/journal-value.ts'
import type { JournaledRecords } from '../journal/journaled-records.ts'
import { type StateRecord, tokenRecord } from '../schema.ts'
import type { AccountMirror, MirroredState } from './mirror.ts'
import type { RestoredAccount, RestoreLostOptions } from './restored-account.ts'
import { takeOver } from './take-over.ts'

/** The database of a lost account. */
interface LostStorage {
  readonly records: JournaledRecords
  dropUnfinished(): Promise<void>
  setUnreadableStateAside(now: number): Promise<boolean>
  readState(): Promise<StateRecord | undefined>
  isRestored(): Promise<boolean>
  writeState(
    enclave: string,
    now: number,
    batch: object,
    origin: {
      readonly createdAt: number
      readonly behind: boolean
      readonly follows?: { readonly journal: string; readonly seq: number }
    },
  ): Promise<void>
}

/** From this many tokens on, an empty database follows the journal. */
const MANY = 4_000
/** Tokens checked between two progress reports. */
const CHECKED_AT_ONCE = 500

/**
 * Restores an account with many tokens into an empty database: everything but the tokens is written, and they are read
 * from the journal until the database has them too. 087
 * @returns undefined if there aren't many, or the database has something
 */
async function bringMany(
  storage: LostStorage,
  entries: ReadonlyMap<RecordKey, string | undefined>,
  state: MirroredState,
  follows: { readonly journal: string; readonly seq: number },
  clock: Clock,
  { signal, onProgress }: RestoreLostOptions,
): Promise<RestoredAccount | undefined> {
  const { records } = storage
  const others = new Map([...entries].filter(([key]) => !isToken(key)))
  const tokens = [...entries].flatMap(([key, text]) => (isToken(key) && text !== undefined ? [text] : []))
  if (tokens.length < MANY || !(await isEmpty(storage))) return undefined
  let bad = 0
  for (let at = 0; at < tokens.length; at += CHECKED_AT_ONCE) {
    signal?.throwIfAborted()
    const checked = tokens.slice(at, at + CHECKED_AT_ONCE)
    bad += checked.filter((text) => !isReadable(text)).length
    onProgress?.(at + checked.length, entries.size)
    await breathe()
  }
  const told = onProgress && ((done: number) => onProgress(tokens.length + done, entries.size))
  const written = await takeOver(records, { entries: others, mode: 'follow', signal, onProgress: told })
  signal?.throwIfAborted()
  const origin = { createdAt: state.createdAt, behind: true, follows }
  await storage.writeState(state.enclave, clock.now(), {}, origin)
  return { tokens: tokens.length - bad, unreadable: bad + written.bad }
}

async function isEmpty({ records }: LostStorage): Promise<boolean> {
  for (const table of records.db.tables) if ((await table.count()) > 0) return false
  return true
}

function isToken(key: RecordKey): boolean {
  return parseKey(key)?.store === 'tokens'
}

function isReadable(text: string): boolean {
  try {
    return v.is(tokenRecord, decodeValue(text))
  } catch {
    return false
  }
}

/** Gives a lost account's database what its second copy has, and the state last. */
export async function bringBack(
  storage: LostStorage,
  mirror: AccountMirror,
  state: MirroredState,
  clock: Clock,
  options: RestoreLostOptions,
): Promise<RestoredAccount> {
  const { signal, onProgress } = options
  const { records } = storage
  // Records of a killed import aren't part of the account, and can't be read.
  await storage.dropUnfinished()
  // Another tab has restored it from a backup meanwhile: that state continues, and the copy is joined when it is next opened.
  const already = await storage.readState().catch(() => undefined)
  if (already && (await storage.isRestored())) return { tokens: await records.count('tokens'), unreadable: 0 }
  const listing = await mirror.journal.list()
  const mark = await records.readMark()
  // If the database knows its position in this journal, it only needs the entries after it.
  const same = mark !== undefined && mark.journal === listing.journal && !listing.mixed
  const ahead = same && mark.seq >= listing.last
  const { entries, unreadable } = await mirror.journal.read(listing, same && !ahead ? mark.seq : -1)
  if (mark === undefined && unreadable === 0 && !listing.mixed && listing.journal !== undefined) {
    const follows = { journal: listing.journal, seq: listing.last }
    const restored = await bringMany(storage, entries, state, follows, clock, options)
    if (restored) return restored
  }
  const mode = same && !ahead ? 'follow' : 'join'
  let lost = ahead ? 0 : unreadable
  if (!ahead) {
    lost += (await takeOver(records, { entries, mode, signal, onProgress })).bad
    if (listing.journal !== undefined) {
      // After a merge, the journal may differ from the database. One behind makes the mirror writer rewrite it.
      const behind = mode === 'join' ? 1 : 0
      await records.writeMark(listing.journal, Math.max(listing.last, mark?.seq ?? 0) + behind)
    }
  }
  signal?.throwIfAborted()
  await storage.setUnreadableStateAside(clock.now())
  const stored = await storage.readState()
  if ((revisionOf(stored?.enclave ?? '') ?? -1) < (revisionOf(state.enclave) ?? 0)) {
    await storage.writeState(state.enclave, clock.now(), {}, { createdAt: state.createdAt, behind: true })
  }
  return { tokens: await records.count('tokens'), unreadable: lost }
}
