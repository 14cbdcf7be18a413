// What is written together with a state, in one transaction.
import { isShared, type Named } from '../devices/device-marks.ts'
import { deleteLine, type JournaledStore, keyOf, putLine } from '../journal/journal-lines.ts'
import type { MetadataRecord, SessionRecord, StateRecord, TokenRecord } from '../schema.ts'

/** Records to write and ids to delete, in one transaction with the state. */
export interface StateBatch {
  readonly tokens?: readonly TokenRecord[]
  readonly sessions?: readonly SessionRecord[]
  readonly metadata?: readonly MetadataRecord[]
  readonly removed?: {
    readonly tokens?: readonly string[]
    readonly sessions?: readonly string[]
    readonly metadata?: readonly string[]
  }
  /** What every device of the account does for itself, or got from another: not marked to be sent to them. */
  readonly unmarked?: true
  /** What is named in the state that is written, if a person names it: marked to be sent to the other devices. */
  readonly named?: Named
}

/** Ids of records by store. */
export type RecordIds = Readonly<Partial<Record<JournaledStore, readonly string[]>>>

/** What is stored under each id; undefined for nothing. */
export type FoundRecords = Readonly<Record<JournaledStore, readonly unknown[]>>

/** Where a written state comes from. */
export interface StateOrigin {
  /** When the account was created, if that isn't known here yet. */
  readonly createdAt?: number
  /** It was restored, and overrides the mirror's state whatever its revision. Remembered until the mirror has it. */
  readonly restored?: boolean
  /** It replaces another state, which is kept under a different id until the data key is replaced. */
  readonly replaces?: boolean
  /** It comes from the second copy, which may be behind. Remembered until a later state is written. */
  readonly behind?: boolean
  /** The journal that already has the account's tokens, up to that change; the database follows. */
  readonly follows?: { readonly journal: string; readonly seq: number }
}

/** What a transaction has changed, for the journal. */
export class Changes {
  readonly lines: string[] = []
  /** What other devices have to get. */
  readonly shared: (readonly [store: JournaledStore, id: string])[] = []
  unmarked: true | undefined
  named: Named | undefined
  /** The ids of deleted tokens. */
  readonly gone: string[] = []
  state: StateRecord | undefined

  put(store: JournaledStore, records: readonly { id: string }[] = []): void {
    for (const record of records) {
      const line = putLine(keyOf(store, record.id), record)
      if (line !== undefined) this.lines.push(line)
      this.#share(store, record.id)
    }
  }

  delete(store: JournaledStore, ids: readonly string[] = []): void {
    for (const id of ids) {
      this.lines.push(deleteLine(keyOf(store, id)))
      this.#share(store, id)
    }
    if (store === 'tokens') this.gone.push(...ids)
  }

  #share(store: JournaledStore, id: string): void {
    if (isShared(store, id)) this.shared.push([store, id])
  }
}
