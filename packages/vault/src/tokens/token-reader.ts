import * as v from 'valibot'
import { refused } from '../base/errors.ts'
import type { Unfollowed } from '../storage/mirror/unfollowed.ts'
import { UnfollowedTokens } from '../storage/mirror/unfollowed-tokens.ts'
import { existing, type TokenRecord, tokenRecord } from '../storage/schema.ts'
import { toStorageError } from '../storage/storage-error.ts'

export { refused, VaultError } from '../base/errors.ts'
export type { TokenRecord, TokenType } from '../storage/schema.ts'

const WHAT = 'reading the tokens'

/** Read-only access to an account's stored tokens. */
export interface TokenSource {
  close(): void
  /** How many there are, including those that don't parse. */
  count(): Promise<number>
  /** All ids, in order. */
  ids(): Promise<string[]>
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
      close: () => undefined,
      count: async () => records.count('tokens'),
      ids: async () => records.ids('tokens'),
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
  readonly #rest: UnfollowedTokens

  private constructor(address: string, db: ReturnType<typeof existing>) {
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

  close(): void {
    this.#db.close()
  }

  /** How many there are, including those that don't parse. */
  async count(): Promise<number> {
    return await this.#run(async () => {
      const rest = await this.#rest.read()
      return rest ? (await this.#allIds(rest)).length : await this.#tokens.count()
    })
  }

  /** All ids, in order. */
  async ids(): Promise<string[]> {
    return await this.#run(async () => await this.#allIds(await this.#rest.read()))
  }

  async #allIds(rest: Unfollowed | undefined): Promise<string[]> {
    const here = (await this.#tokens.toCollection().primaryKeys()).map(String)
    return rest?.idsWith(here) ?? here
  }

  /** All tokens, `size` at a time, each in a separate transaction, so that writers never wait for the whole. */
  async *chunks(size: number): AsyncGenerator<TokenRecord[]> {
    const rest = await this.#run(() => this.#rest.read())
    const stored = this.#stored(size)
    yield* rest ? rest.after(stored, size) : stored
  }

  /** Reads ahead, because reading and what is done with the tokens take about as long. */
  async *#stored(size: number): AsyncGenerator<TokenRecord[]> {
    let next = this.#page(size)
    for (;;) {
      const found = await next
      const isLast = found.length < size
      if (!isLast) {
        next = this.#page(size, idOf(found.at(-1)))
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
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error, WHAT)
    }
  }
}

/** The record's key in the store. */
function idOf(record: unknown): string {
  return typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : ''
}

function readable(found: readonly unknown[]): TokenRecord[] {
  return found.flatMap((each) => {
    const parsed = v.safeParse(tokenRecord, each)
    return parsed.success ? [parsed.output] : []
  })
}
