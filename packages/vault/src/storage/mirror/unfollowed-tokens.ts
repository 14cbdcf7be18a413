import { isFollowing, type StateTable } from '../journal/journal-mark.ts'
import type { Unfollowed } from './unfollowed.ts'

/** Finds an account's tokens that the database may lack, while it follows the journal. */
export class UnfollowedTokens {
  readonly #address: string
  readonly #state: StateTable
  /** The journal, once it was read. Dropped when the database has everything. */
  #read: Promise<Unfollowed | undefined> | undefined

  constructor(address: string, state: StateTable) {
    this.#address = address
    this.#state = state
  }

  /**
   * What the database may lack now, without what was deleted in the meantime. Undefined if it has everything.
   * @throws Error if the file system or the database fails
   */
  async read(): Promise<Unfollowed | undefined> {
    if (!(await isFollowing(this.#state))) {
      this.#read = undefined
      return undefined
    }
    this.#read ??= import('./load-bulk.ts').then(({ Unfollowed }) =>
      Unfollowed.read(this.#address, this.#state),
    )
    const reading = this.#read
    try {
      return await (await reading)?.withoutDeleted()
    } catch (error) {
      if (this.#read === reading) this.#read = undefined
      throw error
    }
  }
}
