import { keyOf, putLine } from '../journal/journal.ts'
import { canRename, hasMirror } from '../mirror-files.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../schema.ts'
import { AccountMirror } from './mirror.ts'

/** Some of an account's records. */
export interface StagedPortion {
  readonly tokens?: readonly TokenRecord[]
  readonly sessions?: readonly SessionRecord[]
  readonly metadata?: readonly MetadataRecord[]
}

/** Writes the records of a new account into a journal, before its database knows of it. 087 */
export class StagedRecords {
  /** The journal's name. */
  readonly journal: string
  readonly #mirror: AccountMirror

  private constructor(mirror: AccountMirror, journal: string) {
    this.#mirror = mirror
    this.journal = journal
  }

  /** Undefined if this browser has no place for it, or the account already has a second copy, which stays as it is. */
  static async begin(address: string): Promise<StagedRecords | undefined> {
    if (!hasMirror() || !canRename()) return undefined
    try {
      const mirror = await AccountMirror.make(address)
      const [state, { segments }] = await Promise.all([mirror.readState(), mirror.journal.list()])
      if (state !== undefined || segments.length > 0) return undefined
      await mirror.journal.dropStaged()
      return new StagedRecords(mirror, crypto.randomUUID().replaceAll('-', ''))
    } catch {
      // Without a file system that works, the records go into the database alone.
      return undefined
    }
  }

  /** Writes all records. If it fails, nothing was written. */
  async write(batches: AsyncIterable<StagedPortion>): Promise<void> {
    await this.#mirror.journal.stage(this.journal, linesOf(batches))
  }
}

async function* linesOf(batches: AsyncIterable<StagedPortion>): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (const store of ['tokens', 'sessions', 'metadata'] as const) {
      for (const record of batch[store] ?? []) {
        const line = putLine(keyOf(store, record.id), record)
        if (line !== undefined) yield line
      }
    }
  }
}
