// Claims in files that are only added to (docs/decisions/112).
//
// Every process adds its claims to the end of the same file, and reads what others added before it: the first claim of an
// invocation in the file counts. No process waits for another one. A full file ends with a block that says so. What
// is added after that block doesn't count, so each process has to go on in the next file.
import { randomBytes } from 'node:crypto'
import { VerifyError } from '../../errors.ts'
import { blocksIn, type ClaimBlock, digestOf, encodeBlock, MOST_CLAIMS } from './claim-block.ts'
import { ClaimTable } from './claim-table.ts'
import { type JournalFile, JournalFolder } from './journal-files.ts'

/** Claims in a file, after which another one is begun. */
const FULL = 1 << 18

export interface JournalOptions {
  /** Most claims that are remembered at a time, each in about 30 bytes of memory. A claim beyond that fails. */
  readonly most?: number
  /** Claims in a file. */
  readonly full?: number
}

/** A claim without an answer. */
interface Waiting {
  readonly digest: Buffer
  readonly until: number
  readonly now: number
  readonly answer: (isFirst: boolean) => void
  readonly fail: (error: VerifyError) => void
}

/** What was read of a file. */
interface Part {
  readonly number: number
  readonly table: ClaimTable
  /** The end of its claim that lasts longest. */
  latest: number
  /** Claims that ended until then may have been deleted, as the last block says that this store added to it: that one is on the disk. */
  deletedUntil: number
}

function newPart(number: number): Part {
  const never = Number.NEGATIVE_INFINITY
  return { number, table: new ClaimTable(), latest: never, deletedUntil: never }
}

/** Remembers claims in a folder, which several processes can share. */
export class ClaimJournal {
  readonly #path: string
  readonly #folder: JournalFolder
  readonly #most: number
  readonly #full: number
  readonly #id = randomBytes(8).readBigUInt64LE()
  #sequence = 0
  /** In the order of their numbers. The last one is written to. */
  #parts: Part[] = []
  #file: JournalFile
  /** How much of the file was read. */
  #at = 0
  /** Whether the file has ended. What is added then doesn't count. */
  #isFull = false
  /** Claims that ended until then may have been deleted. Setting the clock back must not make them usable. */
  #deletedUntil = Number.NEGATIVE_INFINITY
  #waiting: Waiting[] = []
  #work: Promise<void> | undefined
  #isClosed = false

  /** @throws VerifyError STORE_FAILED if the folder can't be opened */
  constructor(path: string, { most = 10_000_000, full = FULL }: JournalOptions = {}) {
    this.#path = path
    this.#most = most
    this.#full = full
    try {
      this.#folder = new JournalFolder(path)
      this.#file = this.#open()
      if (this.#isFull) this.#goOn()
    } catch (cause) {
      const message = `The store can't be opened in ${path}. Check that it is writable.`
      throw new VerifyError('STORE_FAILED', message, { cause })
    }
  }

  /** Makes a claim, as `ClaimStore.claim` says. */
  claim(cid: string, until: number, now: number): Promise<boolean> {
    return new Promise((answer, fail) => {
      if (this.#isClosed)
        return fail(new VerifyError('STORE_FAILED', `The store in ${this.#path} was closed.`))
      if (!(until >= now)) return answer(false)
      this.#waiting.push({ digest: digestOf(cid), until, now, answer, fail })
      this.#work ??= this.#writeAll()
    })
  }

  /** Waits for the claims that are being made. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#work
    this.#file.close()
  }

  /** Claims of one turn of the event loop are written together, and then those that came meanwhile. */
  async #writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const claims = this.#waiting.slice(0, MOST_CLAIMS)
      this.#waiting = this.#waiting.slice(MOST_CLAIMS)
      try {
        await this.#write(claims)
      } catch (cause) {
        const message = `The store in ${this.#path} can't be written. Check the disk.`
        const error =
          cause instanceof VerifyError ? cause : new VerifyError('STORE_FAILED', message, { cause })
        for (const { fail } of claims) fail(error)
      }
    }
    this.#work = undefined
  }

  /** Makes claims. */
  async #write(claims: readonly Waiting[]): Promise<void> {
    // The next file may have been missing before.
    if (this.#isFull) this.#goOn()
    const now = Math.max(...claims.map((claim) => claim.now))
    let deletedUntil = this.#endedBefore(now)
    let open = this.#stillFree(claims)
    while (open.length > 0) {
      this.#expectSpace(open.length)
      const digests = Buffer.concat(open.map(({ digest }) => digest))
      const ends = open.map(({ until }) => until)
      const block = { isLast: false, deletedUntil, digests, ends }
      const made = open
      const isWritten = await this.#append(block, (at) => {
        const claim = made[at]
        claim?.answer(!this.#isTaken(claim.digest, 0, claim.until))
      }).catch((error) => {
        // What others claimed is refused all the same.
        this.#readOthers()
        this.#stillFree(made)
        throw error
      })
      if (isWritten) break
      deletedUntil = this.#deletedUntil
      open = this.#stillFree(open)
    }
    this.#removeEnded()
    if (this.#last.table.size >= this.#full) await this.#endFile()
  }

  /** The claims that no one has made. Answers the others. */
  #stillFree(claims: readonly Waiting[]): readonly Waiting[] {
    return claims.filter(({ digest, until, answer }) => {
      const isTaken = this.#isTaken(digest, 0, until)
      if (isTaken) answer(false)
      return !isTaken
    })
  }

  /** Reads what others added, up to a block of this store. */
  #readOthers(): void {
    const start = this.#at
    for (const block of blocksIn(this.#file.read(start, this.#file.size))) {
      if (block.id === this.#id) return
      this.#at = start + block.after
      this.#take(block)
      if (!block.isLast) continue
      this.#goOn()
      return
    }
  }

  /**
   * Adds a block, and reads the file up to it.
   * @param decide called for each claim of the block, before it is remembered
   * @returns false if the file was full before: then the block doesn't count, and the next file is open
   */
  async #append(
    content: Pick<ClaimBlock, 'isLast' | 'deletedUntil' | 'digests' | 'ends'>,
    decide: (at: number) => void = () => {},
  ): Promise<boolean> {
    this.#sequence += 1
    const own = { ...content, id: this.#id, sequence: this.#sequence }
    const bytes = encodeBlock(own)
    await this.#file.append(bytes)
    const { size } = this.#file
    if (size === this.#at + bytes.length) {
      this.#at = size
      this.#takeOwn(own, decide)
      return true
    }
    const start = this.#at
    for (const block of blocksIn(this.#file.read(start, size))) {
      const isOwn = block.id === own.id && block.sequence === own.sequence
      this.#at = start + block.after
      if (isOwn) {
        this.#takeOwn(own, decide)
        return true
      }
      this.#take(block)
      if (block.isLast) {
        this.#goOn()
        return false
      }
    }
    throw new Error('What was written is not there.')
  }

  /** Ends a full file, unless another process did. */
  async #endFile(): Promise<void> {
    const content = { deletedUntil: this.#deletedUntil, digests: Buffer.alloc(0), ends: [] }
    if (await this.#append({ isLast: true, ...content })) this.#goOn()
  }

  /** Remembers the claims of a block that this store added before the end of the file. */
  #takeOwn(block: ClaimBlock, decide: (at: number) => void): void {
    this.#take(block, decide)
    this.#last.deletedUntil = block.deletedUntil
  }

  /** Remembers the claims of a block. */
  #take(block: ClaimBlock, decide?: (at: number) => void, part = this.#last): void {
    this.#deletedUntil = Math.max(this.#deletedUntil, block.deletedUntil)
    for (const [at, end] of block.ends.entries()) {
      decide?.(at)
      part.table.add(block.digests, at)
      part.latest = Math.max(part.latest, end)
    }
  }

  #isTaken(digests: Buffer, at: number, until: number): boolean {
    return until <= this.#deletedUntil || this.#parts.some(({ table }) => table.has(digests, at))
  }

  #expectSpace(count: number): void {
    const all = this.#parts.reduce((sum, { table }) => sum + table.size, 0)
    if (all + count > this.#most)
      throw new VerifyError('STORE_FAILED', `There are ${this.#most} used invocations to remember already.`)
  }

  get #last(): Part {
    const last = this.#parts.at(-1)
    if (!last) throw new Error('A journal has a file.')
    return last
  }

  /** Until when all claims of the oldest files ended. */
  #endedBefore(now: number): number {
    let until = this.#deletedUntil
    for (const { latest } of this.#parts.slice(0, -1)) {
      if (latest >= now) break
      until = Math.max(until, latest)
    }
    return until
  }

  /**
   * Deletes the oldest files, if the last one says that their claims ended. An earlier one may be deleted itself. In order: `#goOn` relies on
   * it, and on a last file that isn't empty.
   */
  #removeEnded(): void {
    const { deletedUntil } = this.#last
    for (const { number, latest } of this.#parts.slice(0, -1)) {
      if (latest > deletedUntil || !this.#folder.remove(number)) return
      this.#parts.shift()
    }
  }

  /** Reads all files. Changes nothing if one can't be read. @returns the last one, which may be full */
  #open(): JournalFile {
    for (;;) {
      const numbers = this.#folder.list()
      const last = numbers.at(-1)
      if (last === undefined) {
        this.#folder.make(1).close()
        continue
      }
      const file = this.#folder.open(last)
      if (!file) continue
      try {
        const parts = numbers.map(newPart)
        let read = { at: 0, isFull: false }
        for (const part of parts) {
          const bytes = part.number === last ? file.read(0, file.size) : this.#folder.read(part.number)
          read = this.#readInto(part, bytes ?? Buffer.alloc(0))
        }
        this.#parts = parts
        this.#at = read.at
        this.#isFull = read.isFull
        return file
      } catch (error) {
        file.close()
        throw error
      }
    }
  }

  /** Goes on in the next file, because the last one is full. If that fails, nothing changes, and it can be tried again. */
  #goOn(): void {
    this.#isFull = true
    while (this.#isFull) {
      const { number } = this.#last
      const next = this.#folder.make(number + 1)
      const old = this.#file
      try {
        // Files are deleted in order. So if this one is still there, the next one wasn't deleted before it was opened.
        if (this.#folder.has(number, old)) {
          const part = newPart(number + 1)
          const { at, isFull } = this.#readInto(part, next.read(0, next.size))
          this.#parts.push(part)
          this.#file = next
          this.#at = at
          this.#isFull = isFull
        } else {
          if (next.size === 0) this.#folder.remove(number + 1)
          this.#file = this.#open()
        }
      } finally {
        for (const each of [old, next]) if (each !== this.#file) each.close()
      }
    }
  }

  /** Takes what is in a file. @returns where its last block ends, and whether it is full */
  #readInto(part: Part, bytes: Buffer): { readonly at: number; readonly isFull: boolean } {
    let at = 0
    for (const block of blocksIn(bytes)) {
      at = block.after
      this.#take(block, undefined, part)
      if (block.isLast) return { at, isFull: true }
    }
    return { at, isFull: false }
  }
}
