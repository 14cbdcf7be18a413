// LMDB in a folder, for one machine (docs/decisions/058).
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { VerifyError } from '../errors.ts'
import type { BudgetStore } from './budget-store.ts'
import type { ClaimStore } from './claim-store.ts'

/** Expired claims deleted with each new one. More than one, so that the store shrinks. */
const DELETE_EACH = 4

/** LMDB limits the length of keys. */
const digest = (cid: string) => createHash('sha256').update(cid).digest('base64url')

/**
 * Claims and budgets in a folder, which is created if missing. Survives a crash and a power failure. Processes on one
 * machine can share it; a network file system can't hold it.
 *
 * @throws VerifyError STORE_FAILED if the folder can't be opened
 */
export function embeddedClaims(folder: string): ClaimStore & BudgetStore {
  const database = openDatabase(folder)

  function deleteSome(now: number): void {
    const ended = [...database.getKeys({ start: ['end', 0], end: ['end', now], limit: DELETE_EACH })]
    for (const [, until, id] of ended) {
      database.remove(['claim', String(id)])
      database.remove(['spent', String(id)])
      database.remove(['end', Number(until), String(id)])
      // Setting the clock back must not make deleted claims usable. They are in order, so this one is the latest.
      const latest = Math.max(Number(database.get(['deleted until']) ?? 0), Number(until))
      database.put(['deleted until'], latest)
    }
  }

  /** The time up to which claims and budgets may have been deleted. */
  const deletedUntil = () => Number(database.get(['deleted until']) ?? 0)

  /** What the work wrote is on the disk afterwards. */
  async function write<T>(work: () => T): Promise<T> {
    try {
      return await database.transaction(work)
    } catch (cause) {
      ignoreCommitError(cause)
      throw new VerifyError(
        'STORE_FAILED',
        "The store of used invocations can't be written. Check the disk.",
        { cause },
      )
    }
  }

  return {
    claim(cid, until, now) {
      const id = digest(cid)
      const work = () => {
        deleteSome(now)
        const isLate = until < now || until <= deletedUntil()
        if (isLate || database.doesExist(['claim', id])) return false
        database.put(['claim', id], until)
        database.put(['end', until, id], true)
        return true
      }
      return write(work)
    },
    spend(spends, now) {
      const work = () => {
        deleteSome(now)
        const used = spends.map(({ id }) => Number(database.get(['spent', digest(id)]) ?? 0))
        const at = spends.findIndex(
          ({ amount, most, until }, each) =>
            until < now || until <= deletedUntil() || (used[each] ?? 0) + amount > most,
        )
        if (at >= 0) return at
        for (const [each, { id, amount, until }] of spends.entries()) {
          database.put(['spent', digest(id)], (used[each] ?? 0) + amount)
          database.put(['end', until, digest(id)], true)
        }
        return undefined
      }
      return write(work)
    },
    close: () => database.close(),
  }
}

function openDatabase(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // With `eventTurnBatching`, a failed commit would reject a promise that no one handles, which ends the process.
    // Without `overlappingSync`, a commit is on the disk when it resolves. With it, a flush that fails is never reported.
    const options = {
      encoding: 'msgpack',
      cache: false,
      eventTurnBatching: false,
      overlappingSync: false,
    } as const
    return open<unknown, (string | number)[]>({ path: folder, ...options })
  } catch (cause) {
    throw new VerifyError(
      'STORE_FAILED',
      `The store can't be opened in ${folder}. Check that it is writable.`,
      {
        cause,
      },
    )
  }
}

/** The error of a failed commit carries another rejected promise. If no one handled it, the process would end. */
function ignoreCommitError(error: unknown): void {
  const { commitError } = Object(error)
  if (commitError instanceof Promise) commitError.catch(() => {})
}
