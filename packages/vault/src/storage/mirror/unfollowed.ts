import { isFollowing, readJournalMark, type StateTable } from '../journal/journal-mark.ts'
import { FOLLOWING_ID, GONE_PREFIX, type TokenRecord } from '../schema.ts'
import { CopiedRecords } from './copied-records.ts'
import { AccountMirror } from './mirror.ts'
import { publishStaged } from './staged-records.ts'

/** The tokens of an account that the database may lack, while it follows the journal. */
export class Unfollowed {
  readonly #copy: CopiedRecords
  readonly #state: StateTable
  readonly #gone: ReadonlySet<string>

  private constructor(copy: CopiedRecords, state: StateTable, gone: ReadonlySet<string> = new Set()) {
    this.#copy = copy
    this.#state = state
    this.#gone = gone
  }

  /**
   * Reads the journal. Undefined if the database has everything in the meantime, or the journal is gone.
   * @throws Error if the file system fails
   */
  static async read(address: string, state: StateTable): Promise<Unfollowed | undefined> {
    const mark = await readJournalMark(state)
    if (mark?.id !== FOLLOWING_ID) return undefined
    await publishStaged(address, mark.journal)
    const mirror = await AccountMirror.find(address)
    return mirror && new Unfollowed(await CopiedRecords.read(mirror), state)
  }

  /**
   * The same without what was deleted by now. A deleted token's record says so until the database has everything.
   * Undefined if the database has everything by now.
   */
  async withoutDeleted(): Promise<Unfollowed | undefined> {
    const gone = await this.#state.where(':id').startsWith(GONE_PREFIX).primaryKeys()
    // Only in this order: the records of what was deleted go when the database has everything.
    if (!(await isFollowing(this.#state))) return undefined
    return new Unfollowed(this.#copy, this.#state, new Set(gone.map((id) => id.slice(GONE_PREFIX.length))))
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
