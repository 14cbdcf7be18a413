import { refused } from '../base/errors.ts'
import { type FirstQuery, type FirstTokens, readable, readFirst } from '../storage/first-tokens.ts'
import { UnfollowedTokens } from '../storage/mirror/unfollowed-tokens.ts'
import { existing, type TokenRecord } from '../storage/schema.ts'
import { toStorageError } from '../storage/storage-error.ts'
import { isWriteLockHeld } from '../storage/write-lock.ts'

export { refused, VaultError } from '../base/errors.ts'
export type { FirstQuery, FirstTokens } from '../storage/first-tokens.ts'
export type { TokenRecord, TokenType } from '../storage/schema.ts'

const WHAT = 'reading the tokens'
/** How often to look whether an unlock or a change is over, and how often at most for one reading. Milliseconds, and times. */
const [PAUSE, PAUSES] = [20, 250]

/** Read-only access to an account's stored tokens. */
export interface TokenSource {
  /** Refuses later reads, and settles once those in progress have ended. */
  close(): Promise<void>
  /** All ids, in order. */
  ids(): Promise<string[]>
  /** What a list begins with, however many tokens there are. Undefined if only reading all of them tells. */
  first(query: FirstQuery): Promise<FirstTokens | undefined>
  /** All tokens, `size` at a time. */
  chunks(size: number): AsyncGenerator<TokenRecord[]>
  /** The requested tokens that exist. */
  read(ids: readonly string[]): Promise<TokenRecord[]>
}

/** The tokens of an account's second copy, read once. @throws VaultError OPERATION_FAILED if there is none */
async function openCopy(address: string): Promise<TokenSource> {
  const [{ AccountMirror }, { CopiedRecords }] = await Promise.all([
    import('../storage/mirror/mirror.ts'),
    import('../storage/mirror/copied-records.ts'),
  ])
  try {
    const mirror = await AccountMirror.find(address)
    if (!mirror) throw refused('CopyMissing')
    const records = await CopiedRecords.read(mirror)
    return {
      close: async () => undefined,
      ids: async () => records.ids('tokens'),
      first: async () => undefined,
      chunks: (size) => records.tokenPages(size),
      read: async (ids) => ids.flatMap((id) => records.token(id) ?? []),
    }
  } catch (error) {
    throw toStorageError(error, WHAT)
  }
}

/**
 * Read-only access to an account's stored tokens, for use in a Worker: it needs no vault, enclave or page. Each call
 * reads what is stored at that time. It never creates a database, and leaves out records that don't parse.
 */
export class TokenReader implements TokenSource {
  readonly #db: ReturnType<typeof existing>
  readonly #address: string
  readonly #rest: UnfollowedTokens
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  private constructor(address: string, db: ReturnType<typeof existing>) {
    this.#address = address
    this.#db = db
    this.#rest = new UnfollowedTokens(address, db.table('state'))
  }

  /**
   * @param options `fromCopy`: read the second copy, for an account opened from it. Default false
   * @throws VaultError OPERATION_FAILED if this browser has no such account, or its storage fails
   */
  static async open(address: string, { fromCopy = false } = {}): Promise<TokenSource> {
    if (fromCopy) return await openCopy(address)
    const db = existing(address)
    try {
      await db.open()
      return new TokenReader(address, db)
    } catch (error) {
      db.close()
      if (error instanceof Error && error.name === 'NoSuchDatabaseError') {
        throw refused('AccountNotHere', {}, { cause: error })
      }
      throw toStorageError(error, WHAT)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    this.#db.close()
  }

  /** All ids, in order. */
  async ids(): Promise<string[]> {
    return await this.#run(async () => {
      const rest = await this.#rest.read()
      const here = (await this.#tokens.toCollection().primaryKeys()).map(String)
      return rest?.idsWith(here) ?? here
    })
  }

  /** What a list begins with, however many tokens there are. Undefined if only reading all of them tells. */
  async first(query: FirstQuery): Promise<FirstTokens | undefined> {
    return await this.#run(async () =>
      (await this.#rest.read()) ? undefined : await readFirst(this.#db, query),
    )
  }

  /**
   * All tokens, `size` at a time, each in a separate transaction, so that writers never wait for the whole. Between them, it
   * waits a few seconds for an unlock or a change to end.
   */
  async *chunks(size: number): AsyncGenerator<TokenRecord[]> {
    const rest = await this.#run(() => this.#rest.read())
    const stored = this.#stored(size)
    yield* rest ? rest.after(stored, size) : stored
  }

  /** Reads ahead, because reading and what is done with the tokens take about as long. */
  async *#stored(size: number): AsyncGenerator<TokenRecord[]> {
    let pauses = PAUSES
    const page = async (after?: string) => {
      for (; pauses > 0 && (await isWriteLockHeld(this.#address)); pauses -= 1)
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      return await this.#page(size, after)
    }
    let next = page()
    for (;;) {
      const found = await next
      const isLast = found.length < size
      if (!isLast) {
        next = page(idOf(found.at(-1)))
        // If no one asks for it any more, no one needs to know why it failed.
        next.catch(() => undefined)
      }
      if (found.length > 0) yield readable(found)
      if (isLast) return
    }
  }

  async #page(size: number, after?: string): Promise<unknown[]> {
    const tokens = after === undefined ? this.#tokens.orderBy(':id') : this.#tokens.where(':id').above(after)
    return await this.#run(() => tokens.limit(size).toArray())
  }

  /** The requested tokens that exist. */
  async read(ids: readonly string[]): Promise<TokenRecord[]> {
    const found = await this.#run(() => this.#tokens.bulkGet([...ids]))
    const rest = found.includes(undefined) ? await this.#run(() => this.#rest.read()) : undefined
    return readable(found.map((each, index) => each ?? rest?.token(ids[index] ?? '')))
  }

  get #tokens() {
    return this.#db.table<unknown, string>('tokens')
  }

  async #run<T>(work: () => PromiseLike<T>): Promise<T> {
    if (this.#isClosed) throw refused('NoVault')
    const running = (async () => await work())()
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      throw toStorageError(error, WHAT)
    } finally {
      this.#running.delete(running)
    }
  }
}

/** The record's key in the store. */
function idOf(record: unknown): string {
  return typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : ''
}
