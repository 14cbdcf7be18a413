import * as v from 'valibot'
import { type FilePart, inTime } from '../opfs-files.ts'

const FORMAT = 'keyhole-journal-v1'
/** Characters per block, which is the most that one damaged byte can cost. */
const BLOCK_LENGTH = 512 * 1024
/** Bytes read at a time. */
const PIECE = 1024 * 1024
/** Maximum length of a line that describes what follows it, in bytes. */
const LONGEST_HEAD = 4096
const BREAK = 10

/** A journal file, with the changes numbered `first` to `last`. */
export interface SegmentName {
  /** Distinguishes the journals of different databases with the same address. */
  readonly journal: string
  readonly first: number
  readonly last: number
}

const EXTENSION = 'segment'

export function fileNameOf({ journal, first, last }: SegmentName): string {
  return `${journal}.${first}-${last}.${EXTENSION}`
}

/** Parses a file's name; undefined if it isn't a segment. */
export function parseFileName(name: string): SegmentName | undefined {
  const match = /^([0-9a-z]{1,64})\.(\d{1,15})-(\d{1,15})\.segment$/.exec(name)
  if (!match?.[1]) return undefined
  const segment = { journal: match[1], first: Number(match[2]), last: Number(match[3]) }
  return segment.first <= segment.last ? segment : undefined
}

const header = v.object({
  format: v.literal(FORMAT),
  journal: v.string(),
  first: v.number(),
  last: v.number(),
})
const block = v.object({
  length: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  lines: v.number(),
  sha256: v.string(),
})
const end = v.object({ blocks: v.number() })

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A segment's contents, in parts: a header, blocks of lines, each with its SHA-256, and a last line with the number of
 * blocks. A damaged byte costs one block, and a truncated file is detected.
 * @param lines without line breaks
 */
export async function* segmentParts(
  name: SegmentName,
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<FilePart> {
  yield `${JSON.stringify({ format: FORMAT, ...name })}\n`
  let blocks = 0
  let pending: string[] = []
  let size = 0
  const flush = async function* (): AsyncGenerator<FilePart> {
    // Text would be turned into bytes once more to be written.
    const bytes = encoder.encode(`${pending.join('\n')}\n`)
    const about = { length: bytes.length, lines: pending.length, sha256: await sha256(bytes) }
    pending = []
    size = 0
    blocks += 1
    yield `${JSON.stringify(about)}\n`
    yield bytes
  }
  for await (const line of lines) {
    pending.push(line)
    size += line.length
    if (size >= BLOCK_LENGTH) yield* flush()
  }
  if (pending.length > 0) yield* flush()
  yield `${JSON.stringify({ blocks })}\n`
}

/** The condition of a segment that was read. */
export interface SegmentHealth {
  /** Why part of it couldn't be read. */
  readonly damage?: string
  /** Lines that should be there but couldn't be read. */
  readonly lost: number
}

/**
 * Reads the intact part of a segment, a block at a time, so that it's never in memory as a whole. Reports damage.
 * @param take gets each intact block, in order: lines in UTF-8, each ending in a line break
 * @throws Error if the file can't be read at all
 */
export async function readSegment(
  name: SegmentName,
  file: Blob,
  take: (block: Uint8Array<ArrayBuffer>) => void | Promise<void>,
): Promise<SegmentHealth> {
  const pieces = new Pieces(file)
  let lost = 0
  let blocks = 0
  let damage: string | undefined
  const line = async (): Promise<unknown> => JSON.parse(decoder.decode(await pieces.line()))
  try {
    const { format: _format, ...said } = v.parse(header, await line())
    if (fileNameOf(said) !== fileNameOf(name)) throw new Error('it belongs somewhere else')
    for (;;) {
      const about = await line()
      const last = v.safeParse(end, about)
      if (last.success) {
        if (last.output.blocks !== blocks || !pieces.isOver) throw new Error('it does not end as it says')
        break
      }
      const { length, lines: count, sha256: expected } = v.parse(block, about)
      const body = await pieces.take(length)
      blocks += 1
      let read = 0
      const isWhole = body.length === length && (length === 0 || body.at(-1) === BREAK)
      if (isWhole && (await sha256(body)) === expected) {
        for (let at = 0; at < body.length; at += 1) if (body[at] === BREAK) read += 1
        await take(body)
      } else damage = 'its checksum does not fit'
      if (read !== count) {
        damage ??= 'its contents are not what it says'
        lost += Math.max(0, count - read)
      }
    }
  } catch (error) {
    if (error === pieces.failure) throw error
    damage ??= error instanceof v.ValiError ? 'it is not in the format of a segment' : String(error)
  }
  return { lost, ...(damage !== undefined && { damage }) }
}

/** Reads a file's bytes from the beginning. */
class Pieces {
  readonly #file: Blob
  /** How far the file has been read. */
  #fetched = 0
  /** Bytes read but not taken yet. */
  #ahead = new Uint8Array()
  /** Why reading the file failed. */
  failure: unknown

  constructor(file: Blob) {
    this.#file = file
  }

  get isOver(): boolean {
    return this.#ahead.length === 0 && this.#fetched >= this.#file.size
  }

  /** The next bytes; fewer at the end of the file. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.#fetch(length)
    const taken = this.#ahead.subarray(0, length)
    this.#ahead = this.#ahead.subarray(length)
    return taken
  }

  /** The bytes before the next line break. @throws Error if there is none nearby */
  async line(): Promise<Uint8Array<ArrayBuffer>> {
    await this.#fetch(LONGEST_HEAD)
    const stop = this.#ahead.subarray(0, LONGEST_HEAD).indexOf(BREAK)
    if (stop < 0) throw new Error('it ends too early')
    const taken = await this.take(stop + 1)
    return taken.subarray(0, stop)
  }

  /** Reads ahead until that many bytes are available, or the file ends. */
  async #fetch(length: number): Promise<void> {
    const lacking = length - this.#ahead.length
    if (lacking <= 0 || this.#fetched >= this.#file.size) return
    const stop = this.#fetched + Math.max(lacking, PIECE)
    let more: Uint8Array<ArrayBuffer>
    try {
      more = new Uint8Array(await inTime(this.#file.slice(this.#fetched, stop).arrayBuffer()))
    } catch (error) {
      this.failure = error
      throw error
    }
    this.#fetched += more.length
    const joined = new Uint8Array(this.#ahead.length + more.length)
    joined.set(this.#ahead)
    joined.set(more, this.#ahead.length)
    this.#ahead = joined
  }
}
