import * as v from 'valibot'
import type { AccountDatabase, StoreName } from '../schema.ts'
import { withStorageErrors } from '../storage-error.ts'
import type { StorageListener } from './storage-listener.ts'

/** Parses stored records. One that doesn't parse is skipped, and reported once. */
export class RecordParser {
  readonly #listener: StorageListener
  readonly #reported = new Set<string>()

  constructor(listener: StorageListener) {
    this.#listener = listener
  }

  /** Those of the records that parse. */
  parse<S extends v.GenericSchema>(store: StoreName, schema: S, records: unknown[]): v.InferOutput<S>[] {
    const readable: v.InferOutput<S>[] = []
    for (const record of records) {
      const parsed = v.safeParse(schema, record)
      if (parsed.success) readable.push(parsed.output)
      else this.#report(store, record, v.summarize(parsed.issues))
    }
    return readable
  }

  /** Every record of a table that parses, `size` at a time. */
  async *pages<S extends v.GenericSchema>(
    db: AccountDatabase,
    store: 'tokens' | 'metadata',
    schema: S,
    size: number,
  ): AsyncGenerator<v.InferOutput<S>[]> {
    const table = db.table<{ id: string }, string>(store)
    let after: string | undefined
    for (;;) {
      const from = after
      const found = await withStorageErrors('reading the account', () =>
        (from === undefined ? table.orderBy(':id') : table.where(':id').above(from)).limit(size).toArray(),
      )
      if (found.length === 0) return
      yield this.parse(store, schema, found)
      after = found.at(-1)?.id
    }
  }

  #report(store: StoreName, record: unknown, reason: string): void {
    const id =
      typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : '(without an id)'
    const key = `${store}:${id}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#listener.unreadable?.({ store, id, reason })
  }
}
