import { digest, EmbeddedDatabase } from './embedded-database.ts'

/** Expired entries deleted with each new one. More than one, so that the store shrinks. */
const DELETE_EACH = 4

/** Claims and budgets in a folder, each under the digest of its id, until it expires. */
export class EmbeddedStore {
  readonly #database: EmbeddedDatabase
  /** The digest that was needed last: an entry is looked for, and then stored under the same one. */
  #last: { readonly id: string; readonly digest: string } | undefined

  /** @throws VerifyError STORE_FAILED if the folder can't be opened */
  constructor(folder: string) {
    this.#database = new EmbeddedDatabase(folder)
  }

  /** What the work wrote is on the disk afterwards. @throws VerifyError STORE_FAILED */
  write<T>(now: number, work: () => T): Promise<T> {
    return this.#database.write(() => {
      this.#deleteSome(now)
      return work()
    })
  }

  /** Whether an entry that ends then may have been deleted already. */
  isPast(until: number, now: number): boolean {
    return until < now || until <= this.#deletedUntil()
  }

  has(kind: EntryKind, id: string): boolean {
    return this.#database.has([kind, this.#digest(id)])
  }

  get(kind: EntryKind, id: string): unknown {
    return this.#database.get([kind, this.#digest(id)])
  }

  /** For use in `write`. @param until when it may be deleted, in seconds since 1970 */
  put(kind: EntryKind, id: string, value: number, until: number): void {
    this.#database.put([kind, this.#digest(id)], value)
    this.#database.put(['end', until, this.#digest(id)], true)
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  #digest(id: string): string {
    if (this.#last?.id !== id) this.#last = { id, digest: digest(id) }
    return this.#last.digest
  }

  #deleteSome(now: number): void {
    const database = this.#database
    const ended = database.keys({ start: ['end', 0], end: ['end', now], limit: DELETE_EACH })
    for (const [, until, id] of ended) {
      database.remove(['claim', String(id)])
      database.remove(['spent', String(id)])
      database.remove(['end', Number(until), String(id)])
      // Setting the clock back must not make deleted claims usable. They are in order, so this one is the latest.
      database.put(['deleted until'], Math.max(this.#deletedUntil(), Number(until)))
    }
  }

  #deletedUntil(): number {
    return Number(this.#database.get(['deleted until']) ?? 0)
  }
}

type EntryKind = 'claim' | 'spent'
