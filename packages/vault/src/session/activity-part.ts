import type { Activity } from '../activity/activity-log.ts'
import { readActivity } from '../activity/activity-reader.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import type { Changes } from './changes.ts'
import type { VaultContext } from './context.ts'

/** The activity log of the open account. */
export class ActivityPart {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  /**
   * The account's log, checked: missing and rewritten lines show. First writes down what happened while it was locked.
   * Empty without persistence.
   * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
   */
  async read(): Promise<Activity> {
    const context = this.#context
    context.requireUnlocked()
    if (!context.isPersistent) return { lines: [], missing: [], rewritten: [] }
    const { enclave, storage } = context.client
    return await withWriteLock(storage.address, async () => {
      if (context.log.hasNotes(storage.address)) await this.#changes.settle(enclave, storage.address)
      return await readActivity(enclave, storage)
    })
  }
}
