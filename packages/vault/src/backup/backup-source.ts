import { refused, type VaultError } from '../base/errors.ts'

/** Ends the head of a file whose records follow as sealed chunks, one per line. */
export const CHUNKS_FOLLOW = ',"chunks":['
/** The line after the last chunk. */
export const CHUNKS_END = ']}'

/** Maximum length of the head in bytes: several times that of the largest account. */
const LONGEST_HEAD = 8 * 1024 * 1024
/** Maximum size of a single-text file, in bytes. */
const LONGEST_TEXT = 64 * 1024 * 1024
/** Maximum length of a chunk, in characters. */
const LONGEST_CHUNK = 16 * 1024 * 1024
/** Bytes read at a time: each read is a round trip to the browser's own process. */
const PIECE = 4 * 1024 * 1024

/** Reads a backup file: its head, then a chunk at a time, so that it's never in memory as a whole. */
export class BackupSource {
  readonly #file: Blob

  /** @param backup the file, or its text */
  constructor(backup: string | Blob) {
    this.#file = typeof backup === 'string' ? new Blob([backup]) : backup
  }

  /** The file's length in bytes. */
  get size(): number {
    return this.#file.size
  }

  /**
   * What the enclave reads first: the head, or all of an older single-text file.
   * @throws VaultError OPERATION_FAILED if it is neither
   */
  async head(): Promise<string> {
    const start = await this.#file.slice(0, LONGEST_HEAD).text()
    const stop = start.indexOf('\n')
    const line = stop < 0 ? '' : start.slice(0, stop).trimEnd()
    if (line.endsWith(CHUNKS_FOLLOW)) return `${line.slice(0, -CHUNKS_FOLLOW.length)}}`
    if (this.#file.size > LONGEST_TEXT) throw damaged('its beginning is not that of a backup')
    return this.#file.size <= LONGEST_HEAD ? start : await this.#file.text()
  }

  /** The chunks after the head, in order. @throws VaultError OPERATION_FAILED if the file doesn't end correctly */
  async *chunks(): AsyncGenerator<string> {
    let isHead = true
    let isOver = false
    for await (const each of this.#lines()) {
      // Mail, editors and version control change line endings; that mustn't break a backup.
      const line = each.trimEnd()
      if (isHead) isHead = false
      else if (isOver && line !== '') throw damaged('there is more after its end')
      else if (line === CHUNKS_END) isOver = true
      else if (!isOver) yield line.endsWith(',') ? line.slice(0, -1) : line
    }
    if (!isOver) throw damaged('it is cut off')
  }

  async *#lines(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    let next = this.#piece(0)
    for (let at = 0; at < this.#file.size; at += PIECE) {
      const bytes = await next
      // Read while this piece is used. If no one asks for it any more, its failure doesn't matter.
      next = this.#piece(at + PIECE)
      next.catch(() => undefined)
      rest += decode(decoder, bytes)
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > LONGEST_CHUNK) throw damaged('a part of it is too long')
    }
    yield rest
  }

  #piece(at: number): Promise<ArrayBuffer> {
    return this.#file.slice(at, at + PIECE).arrayBuffer()
  }
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes, { stream: true })
  } catch {
    throw damaged('it is not text')
  }
}

function damaged(how: string): VaultError {
  return refused('BackupDamaged', { how })
}

/** Characters passed to the browser as one part. */
const PART = 4 * 1024 * 1024

/** Writes a backup file. Finished parts go to the browser, which keeps large ones on disk. */
export class BackupTarget {
  readonly #parts: Blob[] = []
  #pending: string[] = []
  #length = 0
  #hasChunk = false

  /** @param head as the enclave wrote it: a JSON object, to which the chunks are added as a field */
  constructor(head: string) {
    this.#write(`${head.slice(0, -1)}${CHUNKS_FOLLOW}\n`)
  }

  addChunk(chunk: string): void {
    this.#write(`${this.#hasChunk ? ',\n' : ''}${chunk}`)
    this.#hasChunk = true
  }

  /** The whole file. Nothing can be added afterwards. */
  finish(): Blob {
    this.#write(`\n${CHUNKS_END}\n`)
    this.#flush()
    return new Blob(this.#parts, { type: 'application/json' })
  }

  #write(text: string): void {
    this.#pending.push(text)
    this.#length += text.length
    if (this.#length >= PART) this.#flush()
  }

  #flush(): void {
    this.#parts.push(new Blob(this.#pending))
    this.#pending = []
    this.#length = 0
  }
}
