import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { isSound } from '../backup/opened-backup.ts'
import { refused } from '../base/errors.ts'
import { readAccount } from '../storage/account/account-list.ts'
import { PATIENCE } from '../storage/account/account-storage.ts'
import { noteAccount } from '../storage/canary.ts'
import { checksum, findCopy, type MirroredState, parseMirrored } from '../storage/copy/mirror.ts'
import { ENDED_PREFIX, parseEnded } from '../storage/expiry.ts'
import { enter, linesFor, type RecordKey } from '../storage/journal/journal.ts'
import { linesOf, readSegment, segmentText } from '../storage/journal/journal-format.ts'
import { decodeValue } from '../storage/journal/journal-value.ts'
import { inTime } from '../storage/mirror-files.ts'
import { tokenRecord } from '../storage/schema.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { inCheckedEnclave, type RestoredAccount, type RestoreLostOptions, rebuild } from './recovery.ts'

const FORMAT = 'keyhole-copy-v1'
/** Bytes of the longest first line: a sealed state at its limits, several times over. */
const LONGEST_HEAD = 8 * 1024 * 1024
/** The records follow as one segment of a journal under this name. */
const SEGMENT = { journal: 'copy', first: 0, last: 0 } as const

const head = v.object({ format: v.literal(FORMAT), state: v.string(), sha256: v.string() })

/** A second copy as a file. */
export interface CopyFile {
  readonly filename: string
  readonly file: Blob
  /** Records that the copy is known to have held and that could not be read: they are not in the file. */
  readonly unreadable: number
}

/**
 * Puts an account's second copy into a file, as it is: sealed as it was, so that no secret is needed. What opens the vault
 * opens what is restored from it.
 *
 * @param now milliseconds since 1970, for the file's name
 * @throws VaultError OPERATION_FAILED where the copy does not hold the account's keys
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
  for await (const part of segmentText(SEGMENT, linesFor(entries, false))) parts.push(new Blob([part]))
  const file = new Blob(parts, { type: 'application/octet-stream' })
  const filename = `keyhole-${address}-${new Date(now).toISOString().slice(0, 10)}.keyhole-copy`
  return { filename, file, unreadable }
}

/** What a copy's file holds. */
interface ReadCopy {
  readonly state: MirroredState
  readonly entries: Map<RecordKey, string | undefined>
  readonly unreadable: number
}

/** Reads a copy's file as far as it is sound. @throws VaultError OPERATION_FAILED where the keys in it are damaged */
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
  return { state, entries, unreadable: damage === undefined ? 0 : Math.max(1, lost) }
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
 * Brings an account back from a copy's file, locked, where this browser does not have it. Its sealed state is opened in an
 * enclave before anything is written, and written last; tokens whose signature does not hold are left out.
 *
 * @returns the account's address, and what came back
 * @throws VaultError OPERATION_FAILED; the signal's reason
 */
export async function restoreCopyFile(
  file: Blob,
  start: () => Promise<Enclave>,
  { signal, onProgress }: RestoreLostOptions = {},
): Promise<RestoredAccount & { address: string }> {
  signal?.throwIfAborted()
  const { state, entries, unreadable } = await readCopyFile(file)
  const { address } = state
  const known = await inTime(readAccount(address), PATIENCE).catch(() => undefined)
  if (known) {
    throw refused('CopyFileOfAccountHere')
  }
  const unsound = await inCheckedEnclave(start, state, (enclave) => dropUnsound(enclave, entries, signal))
  return await rebuild(address, signal, (storage) =>
    withWriteLock(address, async () => {
      const { bad } = await storage.records.takeOver({ entries, mode: 'join', signal, onProgress })
      signal?.throwIfAborted()
      await storage.setUnreadableStateAside(Date.now())
      await storage.writeState(state.enclave, Date.now(), {}, { createdAt: state.createdAt, behind: true })
      await noteAccount(address, state.createdAt)
      const tokens = await storage.records.count('tokens')
      return { address, tokens, unreadable: unreadable + unsound + bad }
    }),
  )
}

/** Anyone can write a file: tokens that nobody signed are not taken from it. @returns how many there were */
async function dropUnsound(
  enclave: Enclave,
  entries: Map<RecordKey, string | undefined>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let dropped = 0
  for (const [key, text] of entries) {
    signal?.throwIfAborted()
    const token = text === undefined ? undefined : tokenIn(key, text)
    if (token === undefined || (await isSound(enclave, token))) continue
    entries.delete(key)
    dropped += 1
  }
  return dropped
}

/** The token of a record that has one. */
function tokenIn(key: RecordKey, text: string): string | undefined {
  let record: unknown
  try {
    record = decodeValue(text)
  } catch {
    return undefined
  }
  if (key.startsWith('t')) {
    const parsed = v.safeParse(tokenRecord, record)
    return parsed.success ? parsed.output.token : undefined
  }
  if (!key.startsWith(`m"${ENDED_PREFIX}`)) return undefined
  const ended = parseEnded(record)
  return ended?.store === 'tokens' ? ended.record.token : undefined
}
