import * as v from 'valibot'

const FORMAT = 'keyhole-journal-v1'
/** Characters of lines in one block: what a damaged byte can cost. */
const BLOCK_LENGTH = 512 * 1024

/** A file of the journal: the changes `first` to `last` of it, by their numbers. */
export interface SegmentName {
  /** Tells the journal of one database from that of another under the same address. */
  readonly journal: string
  readonly first: number
  readonly last: number
}

const EXTENSION = 'segment'

export function fileNameOf({ journal, first, last }: SegmentName): string {
  return `${journal}.${first}-${last}.${EXTENSION}`
}

/** What a file's name says; undefined for a file that is no segment. */
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
const block = v.object({ length: v.number(), lines: v.number(), sha256: v.string() })
const end = v.object({ blocks: v.number() })

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A segment's text, in parts: a line that says what it is, blocks of lines, each under its SHA-256, and a line that
 * says how many blocks there are. A damaged byte costs one block, and a file that was cut off is known as such.
 *
 * @param lines without line breaks of their own
 */
export async function* segmentText(
  name: SegmentName,
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, ...name })}\n`
  let blocks = 0
  let pending: string[] = []
  let size = 0
  const flush = async (): Promise<string> => {
    const text = `${pending.join('\n')}\n`
    const bytes = encoder.encode(text)
    const about = { length: bytes.length, lines: pending.length, sha256: await sha256(bytes) }
    pending = []
    size = 0
    blocks += 1
    return `${JSON.stringify(about)}\n${text}`
  }
  for await (const line of lines) {
    pending.push(line)
    size += line.length
    if (size >= BLOCK_LENGTH) yield await flush()
  }
  if (pending.length > 0) yield await flush()
  yield `${JSON.stringify({ blocks })}\n`
}

/** A segment as it was read. */
export interface SegmentContent {
  /** The lines that could be read, in order. */
  readonly lines: string[]
  /** Why not all of it could be read. */
  readonly damage?: string
  /** Lines known to be there that could not be read. */
  readonly lost: number
}

/** Reads what can be read of a segment. Never throws: damage is said, and what is sound beside it is given. */
export async function readSegment(
  name: SegmentName,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SegmentContent> {
  const lines: string[] = []
  let lost = 0
  let at = 0
  let blocks = 0
  let damage: string | undefined
  const line = (): unknown => {
    const stop = bytes.indexOf(10, at)
    if (stop < 0) throw new Error('it ends too early')
    const text = decoder.decode(bytes.subarray(at, stop))
    at = stop + 1
    return JSON.parse(text)
  }
  try {
    const { format: _format, ...said } = v.parse(header, line())
    if (fileNameOf(said) !== fileNameOf(name)) throw new Error('it belongs somewhere else')
    for (;;) {
      const about = line()
      const last = v.safeParse(end, about)
      if (last.success) {
        if (last.output.blocks !== blocks || at !== bytes.length)
          throw new Error('it does not end as it says')
        break
      }
      const { length, lines: count, sha256: expected } = v.parse(block, about)
      const body = bytes.subarray(at, at + length)
      at += length
      blocks += 1
      const before = lines.length
      if (body.length === length && (await sha256(body)) === expected) splitInto(lines, decoder.decode(body))
      else damage = 'its checksum does not fit'
      if (lines.length - before !== count) {
        damage ??= 'it does not hold what it says'
        lost += Math.max(0, count - (lines.length - before))
      }
    }
  } catch (error) {
    damage ??= error instanceof v.ValiError ? 'it is not in the format of a segment' : String(error)
  }
  return { lines, lost, ...(damage !== undefined && { damage }) }
}

function splitInto(lines: string[], text: string): void {
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('\n', start)
    lines.push(text.slice(start, stop))
    start = stop + 1
  }
}
