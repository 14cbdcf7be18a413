import { digest, EmbeddedDatabase } from '../stores/embedded-database.ts'
import type { BudgetStore, Spend } from './budget-store.ts'

/** Budgets of ended periods that are deleted with each spend. More than one, so that the store shrinks. */
const DELETE_EACH = 4

/** Budgets in a folder, in a database. */
export class EmbeddedBudgets implements BudgetStore {
  readonly #database: EmbeddedDatabase

  /**
   * Opens the database. Not with the first budget only: opening one waits for a write to it that has begun, and in the same
   * process that write waits for us.
   *
   * @throws VerifyError STORE_FAILED if the folder can't be opened
   */
  constructor(folder: string) {
    this.#database = new EmbeddedDatabase(folder)
  }

  async spend(spends: readonly Spend[], now: number): Promise<number | undefined> {
    const database = this.#database
    return await database.write(() => {
      deleteSome(database, now)
      const deletedUntil = deletedUntilIn(database)
      const ids = spends.map(({ id }) => digest(id))
      const used = ids.map((id) => Number(database.get(['spent', id]) ?? 0))
      const at = spends.findIndex(
        ({ amount, most, until }, each) =>
          until < now || until <= deletedUntil || (used[each] ?? 0) + amount > most,
      )
      if (at >= 0) return at
      for (const [each, { amount, until }] of spends.entries()) {
        const id = ids[each] ?? ''
        database.put(['spent', id], (used[each] ?? 0) + amount)
        database.put(['end', until, id], true)
      }
      return undefined
    })
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}

function deleteSome(database: EmbeddedDatabase, now: number): void {
  const ended = database.keys({ start: ['end', 0], end: ['end', now], limit: DELETE_EACH })
  for (const [, until, id] of ended) {
    database.remove(['spent', String(id)])
    database.remove(['end', Number(until), String(id)])
    // Setting the clock back must not make a budget whole again. They are in order, so this one is the latest.
    database.put(['deleted until'], Math.max(deletedUntilIn(database), Number(until)))
  }
}

const deletedUntilIn = (database: EmbeddedDatabase) => Number(database.get(['deleted until']) ?? 0)
