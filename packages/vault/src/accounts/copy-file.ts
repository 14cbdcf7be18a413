import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { areSound, CHECKED_AT_ONCE } from '../backup/opened-backup.ts'
import type { Clock } from '../base/clock.ts'
import { refused } from '../base/errors.ts'
import { hasState } from '../client/open-account.ts'
import { PATIENCE } from '../storage/account/account-databases.ts'
import { readAccount } from '../storage/account/account-list.ts'
import { noteAccount } from '../storage/canary.ts'
import { leavingRecord } from '../storage/devices/device-marks.ts'
import { parseEnded } from '../storage/expiry.ts'
import { readSegment, segmentParts } from '../storage/journal/journal-format.ts'
import {
  enter,
  JOURNALED,
  keyOf,
  linesFor,
  linesOf,
  type RecordKey,
} from '../storage/journal/journal-lines.ts'
import { idOf, readable } from '../storage/journal/journaled-records.ts'
import { checksum, findCopy, type MirroredState, parseMirrored } from '../storage/mirror/mirror.ts'
import { OF_DEVICE, takeOver } from '../storage/mirror/take-over.ts'
import { inTime } from '../storage/opfs-files.ts'
import { tokenRecord } from '../storage/schema.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { inCheckedEnclave, type RestoredAccount, type RestoreLostOptions, rebuild } from './recovery.ts'

const FORMAT = 'keyhole-copy-v1'
/** Most bytes of the first line: several times the largest sealed state. */
const LONGEST_HEAD = 8 * 1024 * 1024
/** After it the records follow, as a journal segment with this name. */
const SEGMENT = { journal: 'copy', first: 0, last: 0 } as const

const head = v.object({ format: v.literal(FORMAT), state: v.string(), sha256: v.string() })

/** A second copy as a file. */
export interface CopyFile {
  readonly filename: string
  readonly file: Blob
  /** Records the copy should have but couldn't read; they're not in the file. */
  readonly unreadable: number
}

/**
 * Puts an account's second copy into a file. It stays sealed, so no secret is needed, and the account restored from it
 * unlocks as before.
 * @param now milliseconds since 1970, for the file's name
 * @throws VaultError OPERATION_FAILED if the copy doesn't hold the account's keys
 */
export async function writeCopyFile(address: string, now: number): Promise<CopyFile> {
  const copy = await findCopy(address)
  if (!copy) {
    throw refused('CopyWithoutKeys')
  }
  const { mirror, state } = copy
  const { entries, unreadable } = await mirror.journal.read(await mirror.journal.list())
  const text = JSON.stringify(state)
  const parts: Blob[] = [
    new Blob([`${JSON.stringify({ format: FORMAT, state: text, sha256: await checksum(text) })}\n`]),
  ]
  for await (const part of segmentParts(SEGMENT, linesFor(entries, false))) parts.push(new Blob([part]))
  const file = new Blob(parts, { type: 'application/octet-stream' })
  const filename = `keyhole-${address}-${new Date(now).toISOString().slice(0, 10)}.keyhole-copy`
  return { filename, file, unreadable }
}

/** The contents of a copy's file. */
interface ReadCopy {
  readonly state: MirroredState
  readonly entries: Map<RecordKey, string | undefined>
  readonly unreadable: number
}

/** Reads the undamaged part of a copy's file. @throws VaultError OPERATION_FAILED if the keys in it are damaged */
export async function readCopyFile(file: Blob): Promise<ReadCopy> {
  const start = await file.slice(0, LONGEST_HEAD).text()
  const stop = start.indexOf('\n')
  const state = await readHead(start.slice(0, Math.max(0, stop)))
  if (!state) {
    throw refused('CopyFileDamaged')
  }
  const entries = new Map<RecordKey, string | undefined>()
  const rest = file.slice(new TextEncoder().encode(start.slice(0, stop + 1)).length)
  const { damage, lost } = await readSegment(SEGMENT, rest, (block) => {
    for (const line of linesOf(block)) enter(entries, line)
  })
  const misplaced = dropMisplaced(entries)
  return { state, entries, unreadable: misplaced + (damage === undefined ? 0 : Math.max(1, lost)) }
}

/**
 * Drops records whose key isn't their own: a key says what a record is. A file that Keyhole wrote has no deletions, so
 * those go too.
 * @returns how many records there were
 */
function dropMisplaced(entries: Map<RecordKey, string | undefined>): number {
  let dropped = 0
  for (const [key, text] of entries) {
    if (text === undefined) {
      entries.delete(key)
      continue
    }
    const record = readable(text)
    if (!record || JOURNALED.some((store) => key === keyOf(store, idOf(record)))) continue
    entries.delete(key)
    dropped += 1
  }
  return dropped
}

async function readHead(line: string): Promise<MirroredState | undefined> {
  try {
    const { state, sha256 } = v.parse(head, JSON.parse(line))
    return (await checksum(state)) === sha256 ? parseMirrored(state) : undefined
  } catch {
    return undefined
  }
}

/**
 * Restores an account that this browser doesn't have from a copy's file, locked. An enclave opens the sealed state
 * before anything is written, and the state is written last. Tokens with an invalid signature are left out, and what
 * belongs to a device: that device may go on elsewhere, and two browsers must not write one device's log.
 * @returns the account's address, and what was restored
 * @throws VaultError OPERATION_FAILED; the signal's reason
 */
export async function restoreCopyFile(
  file: Blob,
  start: () => Promise<Enclave>,
  clock: Clock,
  { signal, onProgress }: RestoreLostOptions = {},
): Promise<RestoredAccount & { address: string }> {
  signal?.throwIfAborted()
  const { state, entries, unreadable } = await readCopyFile(file)
  const { address } = state
  const known = await inTime(readAccount(address), PATIENCE).catch(() => undefined)
  if (known) {
    throw refused('CopyFileOfAccountHere')
  }
  for (const key of entries.keys()) if (key.startsWith(OF_DEVICE)) entries.delete(key)
  const unsound = await inCheckedEnclave(start, state, (enclave) => dropUnsound(enclave, entries, signal))
  return await rebuild(address, signal, (storage) =>
    withWriteLock(address, async () => {
      // It may have been made meanwhile, or not been found because the database was slow.
      if (await hasState(storage)) throw refused('CopyFileOfAccountHere')
      const { bad } = await takeOver(storage.records, { entries, mode: 'join', signal, onProgress })
      signal?.throwIfAborted()
      const now = clock.now()
      await storage.setUnreadableStateAside(now)
      // The sealed state may still have the device's keys. Only an unlocked enclave can drop them.
      const batch = { metadata: [leavingRecord(address, now)], unmarked: true } as const
      await storage.writeState(state.enclave, now, batch, { createdAt: state.createdAt, behind: true })
      await noteAccount(address, state.createdAt)
      const tokens = await storage.records.count('tokens')
      return { address, tokens, unreadable: unreadable + unsound + bad }
    }),
  )
}

/** Anyone can write a file, so tokens without a valid signature are dropped. @returns how many there were */
async function dropUnsound(
  enclave: Enclave,
  entries: Map<RecordKey, string | undefined>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const found = [...entries].flatMap(([key, text]) => {
    const token = text === undefined ? undefined : tokenIn(key, text)
    return token === undefined ? [] : [{ key, token }]
  })
  let dropped = 0
  for (let start = 0; start < found.length; start += CHECKED_AT_ONCE) {
    signal?.throwIfAborted()
    const checked = found.slice(start, start + CHECKED_AT_ONCE)
    const sound = await areSound(
      enclave,
      checked.map(({ token }) => token),
    )
    for (const { key } of checked.filter((_, at) => sound[at] !== true)) {
      entries.delete(key)
      dropped += 1
    }
  }
  return dropped
}

/** The token in a record, if it has one. */
function tokenIn(key: RecordKey, text: string): string | undefined {
  const record = readable(text)
  if (!record) return undefined
  if (key === keyOf('tokens', idOf(record))) {
    const parsed = v.safeParse(tokenRecord, record)
    return parsed.success ? parsed.output.token : undefined
  }
  const ended = parseEnded(record)
  return ended?.store === 'tokens' ? ended.record.token : undefined
}
