import { inTime, openFile, removeFile, writeFile } from '../mirror-files.ts'
import {
  fileNameOf,
  keysOf,
  linesOf,
  parseFileName,
  readSegment,
  type SegmentName,
  segmentText,
} from './journal-format.ts'
import { decodeValue, encodeValue } from './journal-value.ts'

/** The stores whose records are in the journal. */
export const JOURNALED = ['tokens', 'sessions', 'metadata'] as const
export type JournaledStore = (typeof JOURNALED)[number]

/** Which record: the store's first letter, and the record's id as JSON. */
export type RecordKey = string

const LETTERS = { tokens: 't', sessions: 's', metadata: 'm' } as const

export function keyOf(store: JournaledStore, id: unknown): RecordKey {
  return LETTERS[store] + (encodeValue(id) ?? '')
}

/** The store and the id of a key; undefined where it is none of ours. */
export function parseKey(key: RecordKey): { store: JournaledStore; id: unknown } | undefined {
  const store = JOURNALED.find((each) => LETTERS[each] === key[0])
  return store && { store, id: decodeValue(key.slice(1)) }
}

/** The line of a record that was written; undefined where the record cannot be written as text. */
export function putLine(key: RecordKey, record: unknown): string | undefined {
  const text = encodeValue(record)
  return text === undefined ? undefined : `+${key}\t${text}`
}

/** The line of a record that was deleted. */
export function deleteLine(key: RecordKey): string {
  return `-${key}`
}

/** A segment in its directory. */
interface Segment extends SegmentName {
  /** In bytes. */
  readonly size: number
  readonly modified: number
}

/** What there is of a journal, before it is read. */
export interface JournalListing {
  /** Absent where there is no segment. */
  readonly journal?: string
  /** In order, without those that another one covers. */
  readonly segments: readonly Segment[]
  /** The number of the last change; -1 where there is none. */
  readonly last: number
  /** Files that another one has taken the place of. */
  readonly superseded: readonly string[]
  /** Changes that no file has. */
  readonly gaps: number
  /** Whether there are files of another journal too; they come first. */
  readonly mixed: boolean
}

/** How a journal was found. */
interface JournalHealth {
  /** The files that are damaged, and why. */
  readonly damaged: readonly { name: string; reason: string }[]
  /** Records known to be there that could not be read, and changes that are missing altogether. */
  readonly unreadable: number
}

/** What a journal says: of each record its text (undefined: deleted). */
export interface JournalContent extends JournalHealth {
  readonly entries: Map<RecordKey, string | undefined>
}

/** Of which records a journal says that they are there: less than a tenth of what it says of them. */
export interface JournalKeys extends JournalHealth {
  readonly keys: Set<RecordKey>
}

/** A run of files is put together where it has at least this many. */
const MERGE_AT = 16
/** A file joins the run of the newer ones where it is at most this many times as large as they are together. */
const MERGE_RATIO = 3

/**
 * What happened to an account's records, in small files that are each written once: so a change costs the same however
 * many there are. Files are put together as they grow in number, each larger than those after it together, so that
 * reading all is reading a few.
 */
export class Journal {
  readonly #directory: FileSystemDirectoryHandle

  constructor(directory: FileSystemDirectoryHandle) {
    this.#directory = directory
  }

  /** Writes the changes `first` to `last`. The file is there as a whole, or not at all. */
  async write(name: SegmentName, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
    await writeFile(this.#directory, fileNameOf(name), segmentText(name, lines))
  }

  async list(): Promise<JournalListing> {
    return await inTime(this.#list())
  }

  async #list(): Promise<JournalListing> {
    const found: Segment[] = []
    for await (const [name, handle] of this.#directory.entries()) {
      const parsed = handle.kind === 'file' ? parseFileName(name) : undefined
      if (!parsed || handle.kind !== 'file') continue
      const file = await (handle as FileSystemFileHandle).getFile().catch(() => undefined)
      // An empty file is where a write began: it never came to be.
      if (file && file.size > 0) found.push({ ...parsed, size: file.size, modified: file.lastModified })
    }
    return arrange(found)
  }

  /**
   * Reads the segments of a listing, in order.
   *
   * @param after leaves out those whose changes are all up to this number
   */
  async read(listing: JournalListing, after = -1): Promise<JournalContent> {
    const entries = new Map<RecordKey, string | undefined>()
    const health = await this.#each(listing, after, (block) => {
      for (const line of linesOf(block)) enter(entries, line)
    })
    return { entries, ...health }
  }

  /** Reads of which records the segments of a listing say that they are there, with as much memory as that takes. */
  async readKeys(listing: JournalListing): Promise<JournalKeys> {
    const keys = new Set<RecordKey>()
    const health = await this.#each(listing, -1, (block) => {
      for (const [key, isWritten] of keysOf(block)) {
        if (isWritten) keys.add(key)
        else keys.delete(key)
      }
    })
    return { keys, ...health }
  }

  /** Goes through the sound blocks of segments, in order; between them the page gets its turn. */
  async #each(
    { segments, gaps }: JournalListing,
    after: number,
    take: (block: Uint8Array) => void,
  ): Promise<JournalHealth> {
    const damaged: { name: string; reason: string }[] = []
    let unreadable = gaps
    const inTurn = async (block: Uint8Array) => {
      take(block)
      await breathe()
    }
    for (const segment of segments) {
      if (segment.last <= after) continue
      const name = fileNameOf(segment)
      const file = await openFile(this.#directory, name)
      const { damage, lost } = file
        ? await readSegment(segment, file, inTurn)
        : { damage: 'it is gone', lost: 1 }
      if (damage !== undefined) {
        damaged.push({ name, reason: damage })
        unreadable += Math.max(1, lost)
      }
    }
    return { damaged, unreadable }
  }

  /** Puts newer files together where there are many. Whoever calls it keeps others from doing the same. */
  async merge(): Promise<void> {
    const listing = await this.list()
    const run = runOf(listing.segments)
    const [oldest, newest] = [run[0], run.at(-1)]
    if (run.length >= MERGE_AT && oldest && newest) {
      const { entries, damaged } = await this.read({ ...listing, segments: run, gaps: 0 })
      // What is damaged is left for the reconciling, which reports it.
      if (damaged.length > 0) return
      const { journal } = oldest
      await this.write(
        { journal, first: oldest.first, last: newest.last },
        linesFor(entries, oldest.first > 0),
      )
      for (const segment of run) await removeFile(this.#directory, fileNameOf(segment))
    }
    for (const name of listing.superseded) await removeFile(this.#directory, name)
  }

  /**
   * Writes everything up to a change anew, and lets go of what that replaces, damaged files and those of other journals
   * among it.
   */
  async rewrite(journal: string, last: number, lines: AsyncIterable<string>): Promise<void> {
    const name = { journal, first: 0, last }
    await this.write(name, lines)
    const current = fileNameOf(name)
    for await (const [each] of this.#directory.entries()) {
      const segment = parseFileName(each)
      if (!segment || each === current) continue
      if (segment.journal !== journal || segment.last <= last) await removeFile(this.#directory, each)
    }
  }
}

/** Takes a line of a journal up. */
export function enter(entries: Map<RecordKey, string | undefined>, line: string): void {
  const tab = line.indexOf('\t')
  if (line.startsWith('+') && tab > 0) entries.set(line.slice(1, tab), line.slice(tab + 1))
  else if (line.startsWith('-')) entries.set(line.slice(1), undefined)
}

/** The lines that say the same as the entries. Deletions are needed only while an older file may hold the record. */
export function* linesFor(
  entries: ReadonlyMap<RecordKey, string | undefined>,
  deletions: boolean,
): Generator<string> {
  for (const [key, text] of entries) {
    if (text !== undefined) yield `+${key}\t${text}`
    else if (deletions) yield deleteLine(key)
  }
}

function arrange(found: readonly Segment[]): JournalListing {
  // Of two journals the one written to last is the account's; the other is what a lost database left.
  const journal = found.toSorted((a, b) => b.modified - a.modified)[0]?.journal
  const segments: Segment[] = []
  const superseded: string[] = []
  let gaps = 0
  let next = 0
  segments.push(...found.filter((segment) => segment.journal !== journal))
  const mixed = segments.length > 0
  const own = found.filter((segment) => segment.journal === journal)
  own.sort((a, b) => a.first - b.first || b.last - a.last)
  for (const segment of own) {
    if (segment.last < next) {
      superseded.push(fileNameOf(segment))
      continue
    }
    gaps += Math.max(0, segment.first - next)
    next = segment.last + 1
    segments.push(segment)
  }
  return { ...(journal !== undefined && { journal }), segments, last: next - 1, superseded, gaps, mixed }
}

/** The newest files, as far back as they follow on each other and are not much larger than those after them. */
function runOf(segments: readonly Segment[]): Segment[] {
  let start = segments.length
  let size = 0
  while (start > 0) {
    const segment = segments[start - 1]
    const after = segments[start]
    if (!segment) break
    if (after && (segment.last + 1 !== after.first || segment.journal !== after.journal)) break
    if (after && segment.size > size * MERGE_RATIO) break
    size += segment.size
    start -= 1
  }
  return segments.slice(start)
}

/** Lets the page do what it has to do in between. */
export async function breathe(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  if (typeof scheduler?.yield === 'function') await scheduler.yield()
  else await new Promise((resolve) => setTimeout(resolve))
}
