import { refused, type VaultError } from '../base/errors.ts'

/** What ends the head of a file whose records follow, one sealed chunk a line. */
export const CHUNKS_FOLLOW = ',"chunks":['
/** The line after the last chunk. */
export const CHUNKS_END = ']}'

/** Longest head, in bytes: an account at its limits, several times over. */
const LONGEST_HEAD = 8 * 1024 * 1024
/** Longest file of a format that is one text, in bytes. */
const LONGEST_TEXT = 64 * 1024 * 1024
/** Longest chunk, in characters. */
const LONGEST_CHUNK = 16 * 1024 * 1024
/** Bytes fetched at a time. */
const PIECE = 1024 * 1024

/** A backup file as it is read: its head, and a chunk at a time. Not all of it is in memory at once. */
export class BackupSource {
  readonly #file: Blob

  /** @param backup the file, or its text */
  constructor(backup: string | Blob) {
    this.#file = typeof backup === 'string' ? new Blob([backup]) : backup
  }

  /**
   * What the enclave takes of the file first: its head, or all of an older format, which is one text.
   *
   * @throws VaultError OPERATION_FAILED where it is neither
   */
  async head(): Promise<string> {
    const start = await this.#file.slice(0, LONGEST_HEAD).text()
    const stop = start.indexOf('\n')
    const line = stop < 0 ? '' : start.slice(0, stop).trimEnd()
    if (line.endsWith(CHUNKS_FOLLOW)) return `${line.slice(0, -CHUNKS_FOLLOW.length)}}`
    if (this.#file.size > LONGEST_TEXT) throw damaged('its beginning is not that of a backup')
    return this.#file.size <= LONGEST_HEAD ? start : await this.#file.text()
  }

  /** The chunks after the head, in order. @throws VaultError OPERATION_FAILED where the file does not end as it must */
  async *chunks(): AsyncGenerator<string> {
    let isHead = true
    let isOver = false
    for await (const each of this.#lines()) {
      // Mail, editors and version control change the ends of lines, and no backup is lost for that.
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
    for (let at = 0; at < this.#file.size; at += PIECE) {
      const bytes = await this.#file.slice(at, at + PIECE).arrayBuffer()
      rest += decode(decoder, bytes)
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > LONGEST_CHUNK) throw damaged('a part of it is too long')
    }
    yield rest
  }
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer): string {
  try {
    return decoder.decode(bytes, { stream: true })
  } catch {
    throw damaged('it is no text')
  }
}

function damaged(how: string): VaultError {
  return refused('BackupDamaged', { how })
}

/** Characters that are handed to the browser as one part. */
const PART = 4 * 1024 * 1024

/** A backup file as it is written: parts go to the browser as they come, which keeps large ones on the disk. */
export class BackupTarget {
  readonly #parts: Blob[] = []
  #pending: string[] = []
  #length = 0
  #hasChunk = false

  /** @param head as the enclave wrote it: a JSON object, which the chunks become a field of */
  constructor(head: string) {
    this.#write(`${head.slice(0, -1)}${CHUNKS_FOLLOW}\n`)
  }

  addChunk(chunk: string): void {
    this.#write(`${this.#hasChunk ? ',\n' : ''}${chunk}`)
    this.#hasChunk = true
  }

  /** The whole file. Nothing is added to it any more. */
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
