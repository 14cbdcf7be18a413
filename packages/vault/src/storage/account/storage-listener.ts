import type { MirrorReport } from '../mirror/mirror-writer.ts'
import type { StoreName } from '../schema.ts'

/** A stored record that doesn't parse. It stays in the database and is skipped when reading. */
export interface UnreadableRecord {
  readonly store: StoreName
  readonly id: string
  readonly reason: string
}

/** Events while a database is open. */
export interface StorageListener {
  /** Called for each unreadable record, once while the database is open. */
  unreadable?(record: UnreadableRecord): void
  /** Another tab is deleting this database (`deleted`) or upgrading it, so this connection was closed. */
  released?(why: 'deleted' | 'upgraded'): void
  /** The database and its mirror differed, and are back in sync. */
  reconciled?(report: MirrorReport): void
}
