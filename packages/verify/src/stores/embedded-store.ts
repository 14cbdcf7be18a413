// LMDB in a folder, for one machine (docs/decisions/058).
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { VerifyError } from '../errors.ts'

/** Expired entries deleted with each new one. More than one, so that the store shrinks. */
const DELETE_EACH = 4

/** LMDB limits the length of keys. */
const digest = (id: string) => createHash('sha256').update(id).digest('base64url')

/** Claims and budgets in a folder, each under the digest of its id, until it expires. */
export class EmbeddedStore {
  readonly #database: ReturnType<typeof openDatabase>

  /** @throws VerifyError STORE_FAILED if the folder can't be opened */
  constructor(folder: string) {
    this.#database = openDatabase(folder)
  }

  /** What the work wrote is on the disk afterwards. @throws VerifyError STORE_FAILED */
  async write<T>(now: number, work: () => T): Promise<T> {
    try {
      return await this.#database.transaction(() => {
        this.#deleteSome(now)
        return work()
      })
    } catch (cause) {
      ignoreCommitError(cause)
      throw new VerifyError(
        'STORE_FAILED',
        "The store of used invocations can't be written. Check the disk.",
        { cause },
      )
    }
  }

  /** Whether an entry that ends then may have been deleted already. */
  isPast(until: number, now: number): boolean {
    return until < now || until <= this.#deletedUntil()
  }

  has(kind: EntryKind, id: string): boolean {
    return this.#database.doesExist([kind, digest(id)])
  }

  get(kind: EntryKind, id: string): unknown {
    return this.#database.get([kind, digest(id)])
  }

  /** For use in `write`. @param until when it may be deleted, in seconds since 1970 */
  put(kind: EntryKind, id: string, value: number, until: number): void {
    this.#database.put([kind, digest(id)], value)
    this.#database.put(['end', until, digest(id)], true)
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  #deleteSome(now: number): void {
    const database = this.#database
    const ended = [...database.getKeys({ start: ['end', 0], end: ['end', now], limit: DELETE_EACH })]
    for (const [, until, id] of ended) {
      database.remove(['claim', String(id)])
      database.remove(['spent', String(id)])
      database.remove(['end', Number(until), String(id)])
      // Setting the clock back must not make deleted claims usable. They are in order, so this one is the latest.
      database.put(['deleted until'], Math.max(this.#deletedUntil(), Number(until)))
    }
  }

  #deletedUntil(): number {
    return Number(this.#database.get(['deleted until']) ?? 0)
  }
}

type EntryKind = 'claim' | 'spent'

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
