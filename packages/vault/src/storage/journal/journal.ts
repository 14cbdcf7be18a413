import { inTime, isMissing, openFile, removeFile, writeFile } from '../opfs-files.ts'
import { fileNameOf, parseFileName, readSegment, type SegmentName, segmentParts } from './journal-format.ts'
import { enter, keysOf, linesFor, linesOf, type RecordKey } from './journal-lines.ts'

/** A segment in its directory. */
interface Segment extends SegmentName {
  /** In bytes. */
  readonly size: number
  readonly modified: number
}

/** The files of a journal, before they are read. */
export interface JournalListing {
  /** Absent if there is no segment. */
  readonly journal?: string
  /** In order, without those that another one covers. */
  readonly segments: readonly Segment[]
  /** The number of the last change; -1 if there is none. */
  readonly last: number
  /** Files that another one replaces. */
  readonly superseded: readonly string[]
  /** Number of changes missing from all files. */
  readonly gaps: number
  /** Whether there are also files of another journal; they come first. */
  readonly mixed: boolean
  /** Why a file that is there couldn't be opened, so that it isn't listed. */
  readonly failure?: Error
}

/** The condition of a journal that was read. */
interface JournalHealth {
  /** The files that are damaged, and why. */
  readonly damaged: readonly { name: string; reason: string }[]
  /** Records that should be there but couldn't be read, and missing changes. */
  readonly unreadable: number
}

/** A journal's contents: the text of each record (undefined: deleted). */
export interface JournalContent extends JournalHealth {
  readonly entries: Map<RecordKey, string | undefined>
}

/** The keys of a journal's records: less than a tenth of its contents. */
export interface JournalKeys extends JournalHealth {
  readonly keys: Set<RecordKey>
}

/** At least this many consecutive files are merged. */
const MERGE_AT = 16
/** An older file is merged too if it's at most this many times as large as the newer ones together. */
const MERGE_RATIO = 3

/**
 * The history of an account's records, in small files that are each written once, so that a change costs the same
 * however many there are. As files accumulate they are merged, each larger than all later ones together, so that
 * reading everything means reading a few files.
 */
export class Journal {
  readonly #directory: FileSystemDirectoryHandle

  constructor(directory: FileSystemDirectoryHandle) {
    this.#directory = directory
  }

  /** Writes the changes `first` to `last`. The file is either complete or not there. */
  async write(name: SegmentName, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
    await writeFile(this.#directory, fileNameOf(name), segmentParts(name, lines))
  }

  async list(): Promise<JournalListing> {
    return await inTime(this.#list())
  }

  async #list(): Promise<JournalListing> {
    const found: Segment[] = []
    let failure: Error | undefined
    for await (const [name, handle] of this.#directory.entries()) {
      const parsed = handle.kind === 'file' ? parseFileName(name) : undefined
      if (!parsed || handle.kind !== 'file') continue
      const file = await (handle as FileSystemFileHandle).getFile().catch((error: Error) => {
        // One that was merged in the meantime is in another file.
        if (!isMissing(error)) failure ??= error
        return undefined
      })
      // An empty file is a write that started and never finished.
      if (file && file.size > 0) found.push({ ...parsed, size: file.size, modified: file.lastModified })
    }
    return { ...arrange(found), ...(failure && { failure }) }
  }

  /**
   * Reads the segments of a listing, in order.
   * @param after skips segments with no changes after this number
   * @throws Error if a file that is there couldn't be opened: what it has must not be taken for lost
   */
  async read(listing: JournalListing, after = -1): Promise<JournalContent> {
    if (listing.failure) throw listing.failure
    const entries = new Map<RecordKey, string | undefined>()
    const health = await this.#each(listing, after, (block) => {
      for (const line of linesOf(block)) enter(entries, line)
    })
    return { entries, ...health }
  }

  /** Reads only the keys of the records in a listing, to save memory. */
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

  /** Visits the intact blocks of segments in order, and yields to the page in between. */
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

  /** Merges newer files if there are many. The caller makes sure that no one else is merging. */
  async merge(): Promise<void> {
    const listing = await this.list()
    const run = runOf(listing.segments)
    const [oldest, newest] = [run[0], run.at(-1)]
    if (run.length >= MERGE_AT && oldest && newest) {
      const { entries, damaged } = await this.read({ ...listing, segments: run, gaps: 0 })
      // Leave damage for `MirrorWriter`, which repairs and reports it.
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
   * Writes one file with everything up to a change, and deletes what it replaces, including damaged files and other
   * journals.
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

function arrange(found: readonly Segment[]): JournalListing {
  // Of two journals, the one written last belongs to the account; the other is left from a lost database.
  const newest = found.toSorted((a, b) => b.modified - a.modified)
  const journals = [...new Set(newest.map((segment) => segment.journal))].toReversed()
  const each = journals.map((name) => inOrder(found.filter((segment) => segment.journal === name)))
  const journal = journals.at(-1)
  return {
    ...(each.at(-1) ?? inOrder([])),
    ...(journal !== undefined && { journal }),
    segments: each.flatMap(({ segments }) => segments),
    mixed: journals.length > 1,
  }
}

/** The segments of one journal in order, without those that another one covers. */
function inOrder(
  found: readonly Segment[],
): Pick<JournalListing, 'segments' | 'superseded' | 'gaps' | 'last'> {
  const segments: Segment[] = []
  const superseded: string[] = []
  let gaps = 0
  let next = 0
  for (const segment of found.toSorted((a, b) => a.first - b.first || b.last - a.last)) {
    if (segment.last < next) {
      superseded.push(fileNameOf(segment))
      continue
    }
    gaps += Math.max(0, segment.first - next)
    next = segment.last + 1
    segments.push(segment)
  }
  return { segments, superseded, gaps, last: next - 1 }
}

/** The newest consecutive files, as long as each isn't much larger than the later ones together. */
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

/** Lets the page do other work. */
export async function breathe(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  if (typeof scheduler?.yield === 'function') await scheduler.yield()
  else await new Promise((resolve) => setTimeout(resolve))
}
