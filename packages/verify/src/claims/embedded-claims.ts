// LMDB in a folder, for one machine (docs/decisions/058).
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { VerifyError } from '../errors.ts'
import type { ClaimStore } from './claim-store.ts'

/** Expired claims deleted with each new one. More than one, so that the store shrinks. */
const DELETE_EACH = 4

/** LMDB limits the length of keys. */
const digest = (cid: string) => createHash('sha256').update(cid).digest('base64url')

/**
 * Claims in a folder, which is created if missing. Survives a crash and a power failure. Processes on one machine can share it; a network
 * file system can't hold it.
 *
 * @throws VerifyError STORE_FAILED if the folder can't be opened
 */
export function embeddedClaims(folder: string): ClaimStore {
  const database = openDatabase(folder)

  function deleteSome(now: number): void {
    const ended = [...database.getKeys({ start: ['end', 0], end: ['end', now], limit: DELETE_EACH })]
    for (const [, until, id] of ended) {
      database.remove(['claim', String(id)])
      database.remove(['end', Number(until), String(id)])
      // A clock that is set back must not make deleted claims usable. They are in order, so this one is the latest.
      const latest = Math.max(Number(database.get(['deleted until']) ?? 0), Number(until))
      database.put(['deleted until'], latest)
    }
  }

  return {
    async claim(cid, until, now) {
      const id = digest(cid)
      try {
        const isFirst = await database.transaction(() => {
          deleteSome(now)
          const isLate = until < now || until <= Number(database.get(['deleted until']) ?? 0)
          if (isLate || database.doesExist(['claim', id])) return false
          database.put(['claim', id], until)
          database.put(['end', until, id], true)
          return true
        })
        if (isFirst) await database.flushed
        return isFirst
      } catch (cause) {
        ignoreCommitError(cause)
        throw new VerifyError(
          'STORE_FAILED',
          "The store of used invocations can't be written. Check the disk.",
          {
            cause,
          },
        )
      }
    },
    close: () => database.close(),
  }
}

function openDatabase(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // With batches of an event turn, a failed commit rejects a promise that no one has, which ends the process.
    const options = { encoding: 'msgpack', cache: false, eventTurnBatching: false } as const
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

/** The error of a failed commit has a promise that is rejected too. If no one heard that, the process would end. */
function ignoreCommitError(error: unknown): void {
  const { commitError } = Object(error)
  if (commitError instanceof Promise) commitError.catch(() => {})
}
