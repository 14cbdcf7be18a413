import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Entry, readLog } from './read-log.ts'

/** Where the gate's receipts go. */
export interface ReceiptLog {
  /** Resolves when the call is written down. Its receipt is signed after that, with others. */
  append(entry: Entry): Promise<void>
  /** Signs what is outstanding, and takes no more. */
  close(): Promise<void>
}

export interface FileLogOptions {
  readonly path: string
  /** Signs a receipt. */
  readonly sign: (entry: Entry) => Promise<string>
  /** Called with what went wrong after a call was answered. */
  readonly onError: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** So many receipts are signed at once, or after so many milliseconds. */
const BATCH = 32
const PAUSE = 100
/** Older entries without a receipt are those of a process that ended too early, in milliseconds. */
const LEFT_OVER = 5_000
/** Entries that are looked through for those. */
const LOOKED_AT = 1_000

/**
 * An append-only file of JSON lines: one for each call before its answer goes out, and another with its receipt soon after. What a process
 * left unsigned because it was killed is signed by the next one.
 */
export function fileLog({ path, sign, onError, clock }: FileLogOptions): ReceiptLog {
  let file: Promise<FileHandle> | undefined
  let lines: string[] = []
  let writing: Promise<void> | undefined
  let unsigned: Entry[] = []
  let timer: NodeJS.Timeout | undefined
  let signing: Promise<void> = Promise.resolve()

  async function openFile(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(path, 'a+', 0o600)
    // A line that was torn when the machine stopped must not take the next one with it.
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    if (size > 0 && last[0] !== 10) await handle.appendFile('\n')
    return handle
  }

  /** Writes all lines that are waiting, in one go. */
  async function writeLines(): Promise<void> {
    const opening = file ?? openFile()
    file = opening
    // Those of this turn come along.
    const handle = await opening.catch((error) => {
      file = undefined
      throw error
    })
    const text = lines.join('')
    lines = []
    writing = undefined
    await handle.appendFile(text)
  }

  function write(line: object): Promise<void> {
    lines.push(`${JSON.stringify(line)}\n`)
    writing ??= writeLines()
    return writing
  }

  async function signAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const entries = unsigned
    unsigned = []
    // All at once, so that they are written in one go.
    const receipts = await Promise.allSettled(entries.map(sign))
    const written = receipts.map(async (one, at) => {
      if (one.status === 'rejected') throw one.reason
      const { call, at: of, outcome } = entries[at] ?? {}
      await write({ call, of, outcome, receipt: one.value })
    })
    for (const each of await Promise.allSettled(written)) if (each.status === 'rejected') onError(each.reason)
    // The file is opened again for the next calls: it may have been moved away.
    if (unsigned.length > 0 || lines.length > 0) return
    const done = file
    file = undefined
    await (await done)?.close()
  }

  function signSoon(): void {
    const start = () => {
      signing = signing.then(signAll).catch(onError)
    }
    if (unsigned.length === BATCH) start()
    else timer ??= setTimeout(start, PAUSE).unref()
  }

  async function signLeftOver(): Promise<void> {
    for (const entry of await readLog(path, LOOKED_AT)) {
      if (entry.receipt !== undefined || clock() - Date.parse(entry.at) < LEFT_OVER) continue
      unsigned.push(entry)
      signSoon()
    }
  }
  const looking = signLeftOver().catch(onError)

  return {
    async append(entry) {
      await write(entry)
      unsigned.push(entry)
      signSoon()
    },
    async close() {
      await looking
      signing = signing.then(signAll).catch(onError)
      await signing
    },
  }
}
