import { type FileHandle, open } from 'node:fs/promises'

/** A call in the log. It has no arguments and no answer: those are the owner's. */
export interface Entry {
  /** ISO 8601. */
  readonly at: string
  /** The server's or service's name. */
  readonly server: string
  readonly command: string
  /** The tool's or prompt's name, the resource's URI, or the path. */
  readonly name: string
  /** DIDs of the caller and the owner. */
  readonly issuer: string
  readonly subject: string
  /** CID of the invocation. */
  readonly call: string
  /** CID of the task, by which the receipt names the call. Missing if the invocation was refused: then the receipt names the call's CID. */
  readonly task?: string
  /** CIDs of the grants that it rests on, root first. */
  readonly grants: readonly string[]
  /** `ok`, `error` if the server said so, or why it was refused. */
  readonly outcome: string
  /**
   * Of calls whose invocation was refused: how many such calls under the same grant the line is about. `call`, `name` and `at` are the latest one's.
   * Default: this one alone.
   */
  readonly count?: number
  /** When the first of them came, in ISO 8601. */
  readonly since?: string
  /** The gate's signed receipt, as container text. Missing for a moment after the call. */
  readonly receipt?: string
}

/** What is read at a time, in bytes, and the longest line. */
const CHUNK = 262_144
const LONGEST_LINE = 1_048_576

/**
 * Reads the latest calls of a log, the latest last. It reads from the end, so that the length of the log doesn't matter. Lines that were
 * torn when the machine stopped are left out.
 */
export async function readLog(path: string, most: number): Promise<readonly Entry[]> {
  const file = await open(path, 'r').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return []
  try {
    const receipts = new Map<string, string>()
    const entries: Entry[] = []
    for await (const line of linesBackwards(file)) {
      const { receipt, of, ...entry } = parsed(line)
      const { call, at, outcome } = entry
      if (typeof call !== 'string') continue
      // One call may have several lines: it was carried out, and refused when it came again.
      const place = keyOf(call, of, outcome)
      if (typeof receipt === 'string' && !receipts.has(place)) receipts.set(place, receipt)
      if (!isEntry(entry)) continue
      const signed = receipts.get(keyOf(call, at, outcome)) ?? receipts.get(keyOf(call))
      entries.push({ ...entry, ...(signed !== undefined && { receipt: signed }) })
      if (entries.length === most) break
    }
    return entries.reverse()
  } finally {
    await file.close()
  }
}

const TEXTS = ['at', 'server', 'command', 'name', 'issuer', 'subject', 'call', 'outcome'] as const

/** Whether a line is about a call, and whole. */
function isEntry(line: Record<string, unknown>): line is Record<string, unknown> & Entry {
  const { grants } = line
  return TEXTS.every((field) => typeof line[field] === 'string') && Array.isArray(grants)
}

/** Which line a receipt is for. Logs of earlier versions say only which call. */
function keyOf(call: string, at?: unknown, outcome?: unknown): string {
  return JSON.stringify([call, at, outcome])
}

async function* linesBackwards(file: FileHandle): AsyncGenerator<string> {
  let end = (await file.stat()).size
  let rest = Buffer.alloc(0)
  while (end > 0) {
    const start = Math.max(end - CHUNK, 0)
    const chunk = Buffer.alloc(end - start)
    await file.read(chunk, 0, chunk.length, start)
    rest = Buffer.concat([chunk, rest])
    end = start
    for (let at = rest.lastIndexOf(10); at >= 0; at = rest.lastIndexOf(10)) {
      yield rest.toString('utf8', at + 1)
      rest = rest.subarray(0, at)
    }
    if (rest.length > LONGEST_LINE) return
  }
  yield rest.toString('utf8')
}

function parsed(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}
