// The files of a journal, numbered in the order in which they were written. Only the last one is written to.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  write,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const NAME = /^claims-(\d{10})\.log$/
/** There, what was written is on the disk when the write returns, which costs less than a second call. */
const { O_APPEND, O_CREAT, O_DSYNC, O_RDWR } = constants
const isSynced = process.platform === 'linux'
const HOW = O_RDWR | O_APPEND | (isSynced ? O_DSYNC : 0)

const sync = promisify(fdatasync)

/** A file that blocks are added to. All processes add to the end, and so agree on the order. */
export class JournalFile {
  readonly #fd: number

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Opens a file, or makes it. */
  static open(path: string, { make }: { readonly make: boolean }): JournalFile {
    return new JournalFile(openSync(path, make ? HOW | O_CREAT : HOW, 0o600))
  }

  /** Adds a block at the end of the file. It is on the disk afterwards. @throws Error if only a part could be written */
  async append(block: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      write(this.#fd, block, 0, block.length, null, (error, written) => {
        if (error) reject(error)
        else if (written !== block.length) reject(new Error('The disk is full.'))
        else resolve()
      })
    })
    if (!isSynced) await sync(this.#fd)
  }

  get size(): number {
    return fstatSync(this.#fd).size
  }

  /** Whether this is the file of its folder with that inode. */
  is({ ino }: { readonly ino: bigint }): boolean {
    return fstatSync(this.#fd, { bigint: true }).ino === ino
  }

  /** The bytes between two places. */
  read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.max(to - from, 0))
    let at = 0
    while (at < bytes.length) {
      const count = readSync(this.#fd, bytes, at, bytes.length - at, from + at)
      if (count === 0) break
      at += count
    }
    return bytes.subarray(0, at)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** The folder of a journal. */
export class JournalFolder {
  readonly #path: string

  /** Makes the folder, if it is missing. */
  constructor(path: string) {
    this.#path = path
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }

  /** The numbers of its files, in order. */
  list(): number[] {
    const numbers = readdirSync(this.#path).map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    return numbers.filter((number) => number > 0).sort((one, other) => one - other)
  }

  pathOf(number: number): string {
    return join(this.#path, `claims-${String(number).padStart(10, '0')}.log`)
  }

  /** Whether an opened file is still there under its number. Another one may have been made in its place. */
  has(number: number, file: JournalFile): boolean {
    const found = statSync(this.pathOf(number), { bigint: true, throwIfNoEntry: false })
    return found !== undefined && file.is(found)
  }

  /** Opens a file; undefined if it isn't there. */
  open(number: number): JournalFile | undefined {
    return unlessMissing(() => JournalFile.open(this.pathOf(number), { make: false }))
  }

  /** Opens a file, and makes it if it isn't there. */
  make(number: number): JournalFile {
    const file = JournalFile.open(this.pathOf(number), { make: true })
    try {
      this.#sync()
    } catch (error) {
      file.close()
      throw error
    }
    return file
  }

  /** All bytes of a file; undefined if it isn't there. */
  read(number: number): Buffer | undefined {
    return unlessMissing(() => readFileSync(this.pathOf(number)))
  }

  /** Deletes a file. @returns false if it is still there: on Windows, another process may have it open */
  remove(number: number): boolean {
    try {
      unlinkSync(this.pathOf(number))
      return true
    } catch (error) {
      return Object(error).code === 'ENOENT'
    }
  }

  /** Writes the names of the files to the disk. Windows does so by itself. */
  #sync(): void {
    if (process.platform === 'win32') return
    const fd = openSync(this.#path, constants.O_RDONLY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  }
}

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined
    throw error
  }
}
