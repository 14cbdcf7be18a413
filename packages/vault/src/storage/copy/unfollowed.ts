import type { Table } from 'dexie'
import { FOLLOWING_ID, GONE_PREFIX, MARK_ID, type TokenRecord } from '../schema.ts'
import { CopiedRecords } from './copied-records.ts'
import { AccountMirror } from './mirror.ts'
import { publishStaged } from './staged-records.ts'

/** The store of an account's state. */
type StateTable = Table<unknown, string>

/**
 * Whether the journal has tokens that the database lacks. If the mark is there too, an older version of Keyhole has
 * taken them in.
 */
export async function isFollowing(state: Pick<StateTable, 'bulkGet'>): Promise<boolean> {
  const [following, mark] = await state.bulkGet([FOLLOWING_ID, MARK_ID])
  return following !== undefined && mark === undefined
}

/** The tokens of an account that the database may lack, while it follows the journal. */
export class Unfollowed {
  readonly #copy: CopiedRecords
  readonly #gone: ReadonlySet<string>

  private constructor(copy: CopiedRecords, gone: ReadonlySet<string>) {
    this.#copy = copy
    this.#gone = gone
  }

  /**
   * Reads the journal. Undefined if the database has everything in the meantime, or the journal is gone.
   * @throws Error if the file system fails
   */
  static async read(address: string, state: StateTable): Promise<Unfollowed | undefined> {
    const mark = await state.get(FOLLOWING_ID)
    if (isMark(mark)) await publishStaged(address, mark.journal)
    const mirror = await AccountMirror.find(address)
    const copy = mirror && (await CopiedRecords.read(mirror))
    if (!copy || !(await isFollowing(state))) return undefined
    const gone = await state.where(':id').startsWith(GONE_PREFIX).primaryKeys()
    return new Unfollowed(copy, new Set(gone.map((id) => id.slice(GONE_PREFIX.length))))
  }

  has(id: string): boolean {
    return this.#copy.has('tokens', id) && !this.#gone.has(id)
  }

  token(id: string): TokenRecord | undefined {
    return this.has(id) ? this.#copy.token(id) : undefined
  }

  /** The token with that CID, and that issuer if it matters. */
  withCid(cid: string, issuer?: string): TokenRecord | undefined {
    return this.#copy
      .tokensWith(cid)
      .find((each) => each.cid === cid && this.has(each.id) && (issuer ?? each.issuer) === each.issuer)
  }

  /** The ids of all, and of those in the database, in order. */
  idsWith(stored: readonly string[]): string[] {
    const own = this.#copy.ids('tokens').filter((id) => !this.#gone.has(id))
    return [...new Set([...stored, ...own])].sort()
  }

  /** The tokens of the database and the rest, newest first. */
  async joined(stored: readonly TokenRecord[]): Promise<TokenRecord[]> {
    const all = [...stored]
    for await (const page of this.#pages(new Set(stored.map(({ id }) => id)))) all.push(...page)
    return all.sort((one, other) => other.createdAt - one.createdAt)
  }

  /** The pages of the database, and the rest after them. */
  async *after(stored: AsyncIterable<TokenRecord[]>, size: number): AsyncGenerator<TokenRecord[]> {
    const seen = new Set<string>()
    for await (const page of stored) {
      for (const { id } of page) seen.add(id)
      yield page
    }
    yield* this.#pages(seen, size)
  }

  /** All of them except those that were seen in the database. */
  async *#pages(seen: ReadonlySet<string>, size?: number): AsyncGenerator<TokenRecord[]> {
    for await (const page of this.#copy.tokenPages(size)) {
      const rest = page.filter(({ id }) => !seen.has(id) && !this.#gone.has(id))
      if (rest.length > 0) yield rest
    }
  }
}

function isMark(mark: unknown): mark is { readonly journal: string } {
  return typeof mark === 'object' && mark !== null && 'journal' in mark && typeof mark.journal === 'string'
}
