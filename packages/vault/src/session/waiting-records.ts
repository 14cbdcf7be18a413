import type { Enclave } from '@keyhole/enclave'
import type { Act } from '../base/act.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'

/** Records to store in an account, with the log line that explains them. */
export interface LoggedRecords {
  readonly address: string
  /** The account's enclave. */
  readonly enclave: Enclave
  readonly line: Act
  readonly batch: StateBatch
}

/** Records whose caller waits until they are stored. */
interface Waiting extends LoggedRecords {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Stores records of one account in one transaction, all or nothing.
 * @param take called once the write lock is held. What it returns is no longer waiting
 */
export type StoreTogether = (
  { address, enclave }: LoggedRecords,
  take: () => readonly LoggedRecords[],
) => Promise<void>

/** Most that one transaction stores, so that it stays short. */
const MOST_TOGETHER = 64

/**
 * Records that wait for the account's write lock. What waits together is stored together: one sealed state, one
 * transaction and one file of the journal for all, instead of one each.
 */
export class WaitingRecords {
  readonly #waiting: Waiting[] = []
  readonly #storeTogether: StoreTogether
  #isStoring = false

  constructor(storeTogether: StoreTogether) {
    this.#storeTogether = storeTogether
  }

  /** Resolves once these are stored. If they can't be stored with others, they are stored by themselves. */
  async store(records: LoggedRecords): Promise<void> {
    const stored = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ ...records, resolve, reject })
    })
    if (!this.#isStoring) void this.#storeAll()
    await stored
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) await this.#storeFrom(first)
    this.#isStoring = false
  }

  async #storeFrom(first: Waiting): Promise<void> {
    let taken: readonly Waiting[] = []
    try {
      await this.#storeTogether(first, () => {
        taken = this.#take()
        return taken
      })
      for (const { resolve } of taken) resolve()
    } catch (error) {
      // Nothing was stored. The others may fit by themselves.
      if (taken.length === 0) this.#waiting.shift()
      if (taken.length <= 1) first.reject(error)
      else for (const each of taken) await this.#storeAlone(each)
    }
  }

  async #storeAlone(records: Waiting): Promise<void> {
    await this.#storeTogether(records, () => [records]).then(records.resolve, records.reject)
  }

  /** Those at the front that can be stored in one transaction, in order. */
  #take(): Waiting[] {
    const [first, ...others] = this.#waiting
    const alone = others.findIndex((each) => !first || !fitTogether(first, each))
    const fitting = alone < 0 ? this.#waiting.length : alone + 1
    return this.#waiting.splice(0, Math.min(fitting, MOST_TOGETHER))
  }
}

/** Whether two can be stored in one transaction. */
function fitTogether(one: LoggedRecords, other: LoggedRecords): boolean {
  return (
    one.enclave === other.enclave && one.address === other.address && onlyWrites(one) && onlyWrites(other)
  )
}

/** Whether these delete nothing: in one transaction, all that is written comes before all that is deleted. */
function onlyWrites({ batch: { removed, unmarked } }: LoggedRecords): boolean {
  return removed === undefined && unmarked === undefined
}

/** What several write, in order: of two with one id, the last one counts. */
export function joinedBatch(all: readonly LoggedRecords[]): StateBatch {
  const [first, ...more] = all
  if (first && more.length === 0) return first.batch
  return {
    tokens: all.flatMap(({ batch }) => batch.tokens ?? []),
    sessions: all.flatMap(({ batch }) => batch.sessions ?? []),
    metadata: all.flatMap(({ batch }) => batch.metadata ?? []),
  }
}
