import { DEVICE_LINK, markOf, nameMark } from '../devices/device-marks.ts'
import { JOURNALED, type JournaledStore } from '../journal/journal-lines.ts'
import type { JournaledRecords } from '../journal/journaled-records.ts'
import type { MirrorWriter } from '../mirror/mirror-writer.ts'
import { FOLLOWING_ID } from '../schema.ts'
import { withStorageErrors } from '../storage-error.ts'
import { Changes, type StateBatch } from './state-batch.ts'

/** Writes to one account's database, each with its lines for the mirror and its marks for other devices. */
export class AccountWrites {
  readonly #address: string
  readonly #records: JournaledRecords
  readonly #mirror: MirrorWriter

  constructor(address: string, records: JournaledRecords, mirror: MirrorWriter) {
    this.#address = address
    this.#records = records
    this.#mirror = mirror
  }

  /** Changes records in one transaction, and updates the mirror. @param enclave the sealed state, if it's written */
  async change<T>(
    what: string,
    stores: readonly JournaledStore[],
    work: (changes: Changes) => Promise<T>,
    enclave?: string,
  ): Promise<T> {
    return await withStorageErrors(what, () =>
      this.#mirror.write(
        () =>
          this.#records.db.transaction('rw', [...new Set(['state', 'metadata', ...stores])], async () => {
            const changes = new Changes()
            const [before, link, result] = await Promise.all([
              this.#records.readMark(),
              this.#records.db.metadata.get(DEVICE_LINK),
              work(changes),
            ])
            if (link && !changes.unmarked) await this.#markShared(changes)
            const { lines, gone, state } = changes
            if (before?.id === FOLLOWING_ID && gone.length > 0) await this.#records.noteGone(gone)
            const mark = lines.length > 0 && before ? await this.#records.countOn(before) : undefined
            return { result, mark, lines, state }
          }),
        enclave,
      ),
    )
  }

  /** Writes and deletes records, in a transaction of `change`. */
  async put(batch: StateBatch, changes: Changes): Promise<void> {
    const { removed } = batch
    changes.unmarked = batch.unmarked
    changes.named = batch.named
    const table = (store: JournaledStore) => this.#records.db.table<object, string>(store)
    await Promise.all(JOURNALED.map((store) => batch[store] && table(store).bulkPut(batch[store])))
    for (const store of JOURNALED) changes.put(store, batch[store])
    await Promise.all(
      JOURNALED.map((store) => removed?.[store] && table(store).bulkDelete([...removed[store]])),
    )
    for (const store of JOURNALED) changes.delete(store, removed?.[store])
  }

  /** Marks what other devices have to get, in the same transaction. */
  async #markShared(changes: Changes): Promise<void> {
    const { shared, named } = changes
    const marks = shared.map(([store, id]) => markOf(this.#address, store, id))
    if (named) marks.push(nameMark(this.#address, named))
    await this.#records.db.metadata.bulkPut(marks)
    changes.put('metadata', marks)
  }
}
